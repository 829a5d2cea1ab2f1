import type { Target } from '../../core/target.ts';
import { allowedMix, type LoadOperation, type MixEntry } from '../profile/mix.ts';
import type { Profile } from '../profile/profile.ts';
import type { Shard } from './arrivals.ts';
import { type ChatTurns, createChatTurns, openChats } from './chat-turns.ts';
import { createDraw } from './draw.ts';
import { isListEntry, listWalks } from './list-walk.ts';
import { type LoadRequest, messageRequest } from './load-request.ts';
import type { Outcome } from '../measure/outcome.ts';
import { requestVariants } from './request-variants.ts';

/** What is sent at one place of the schedule. */
export type Planned =
  | {
      readonly kind: 'request';
      readonly request: LoadRequest;
      /** To be called once, when the request is over, or is dropped without being sent. */
      readonly done: (outcome: Outcome | 'unsent', body?: readonly Uint8Array[]) => void;
    }
  | { readonly kind: 'dropped'; readonly operation: LoadOperation };

/** The requests of a run: the one at each place follows from the seed, and from the pages that are known by then. */
export type RequestPlan = {
  readonly at: (index: number) => Planned;
  /** Operations for which the target file declares nothing, a sentence each. */
  readonly missing: readonly string[];
  readonly operations: readonly LoadOperation[];
};

export type RequestPlanOptions = {
  readonly target: Target;
  readonly profile: Pick<Profile, 'mix' | 'timeoutMs'>;
  readonly seed: number;
  /** The part of the schedule that this run sends. */
  readonly shard: Shard;
  /** Part of every key of this run, so that keys can be recognised and no two runs share one. */
  readonly runId: string;
  /** Milliseconds, from any origin. */
  readonly now: () => number;
};

const operationLabel = 1;
const variantLabel = 2;
/** 3 is the label of the validator. */
const pageLabel = 4;

/** How long a chat rests after a 409. After a 202 it rests for as long as the target file allows a response to take. */
const conflictRestMs = 1000;

type Entry = {
  readonly operation: LoadOperation;
  /** The upper end of its interval in the draw from 0 to 1. */
  readonly upTo: number;
  readonly at: (index: number) => Planned;
};

export function createRequestPlan(options: RequestPlanOptions): RequestPlan {
  const { target, profile, seed, shard } = options;
  const draw = createDraw(seed);
  const missing: string[] = [];
  const sources = new Map<string, readonly string[]>();
  const usable: { readonly entry: MixEntry; readonly at: Entry['at'] }[] = [];
  for (const entry of allowedMix(profile.mix, target.allow)) {
    if (entry.operation === 'sendMessage') {
      const chats = openChats(target);
      // Shards do not know each other's messages, so each has its own chats.
      const own = chats.filter((_, place) => place % shard.of === shard.index - 1);
      const turns = createChatTurns(own, options.now);
      if (chats.length === 0)
        missing.push('sendMessage is left out: no declared chat has an admin among the principals');
      else usable.push({ entry, at: (index) => planMessage(options, entry, turns, index) });
      continue;
    }
    const variants: readonly ((place: number) => Planned)[] = isListEntry(entry)
      ? listWalks(entry, target, profile.timeoutMs, sources).map(({ at }) => at)
      : requestVariants(entry, target, profile.timeoutMs).map((request) => always(request));
    if (variants.length === 0) missing.push(`${entry.operation} is left out: ${wants(entry.operation)}`);
    else usable.push({ entry, at: (index) => pick(variants, draw.at(index, variantLabel))(draw.at(index, pageLabel)) });
  }
  const all = usable.reduce((sum, { entry }) => sum + entry.weight, 0);
  let upTo = 0;
  const entries: Entry[] = usable.map(({ entry, at }) => {
    upTo += entry.weight / all;
    return { operation: entry.operation, upTo, at };
  });
  return {
    missing,
    operations: entries.map(({ operation }) => operation),
    at(index) {
      const place = draw.at(index, operationLabel);
      const entry = entries.find((candidate) => place < candidate.upTo) ?? entries.at(-1);
      if (entry === undefined) throw new Error('a plan has no operation');
      return entry.at(index);
    },
  };
}

/** What is sent in one way, whatever was answered before. */
function always(request: LoadRequest): () => Planned {
  const planned = { kind: 'request', request, done: () => {} } as const;
  return () => planned;
}

function pick<Item>(variants: readonly Item[], place: number): Item {
  const found = variants[Math.floor(place * variants.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

function planMessage(
  { target, profile, runId }: RequestPlanOptions,
  entry: Extract<MixEntry, { operation: 'sendMessage' }>,
  turns: ChatTurns,
  index: number,
): Planned {
  const chat = turns.take();
  if (chat === undefined) return { kind: 'dropped', operation: 'sendMessage' };
  const { quickPrompt, slowPrompt, timeoutSeconds } = target.assistant;
  const request = messageRequest(target, chat, {
    text: entry.prompt === 'quick' ? quickPrompt : slowPrompt,
    key: `awc-${runId}-${index}`,
    waitSeconds: entry.waitSeconds,
    timeoutMs: profile.timeoutMs,
  });
  return {
    kind: 'request',
    request,
    done(outcome) {
      const isOver = typeof outcome === 'number' ? outcome !== 202 && outcome !== 409 : outcome === 'unsent';
      turns.giveBack(chat, isOver ? 0 : outcome === 409 ? conflictRestMs : timeoutSeconds * 1000);
    },
  };
}

function wants(operation: LoadOperation): string {
  return operation === 'getBillingAccount'
    ? 'the target file declares no billing account whose owner has an admin among the principals'
    : 'the target file declares no organization that a principal is adminOf';
}
