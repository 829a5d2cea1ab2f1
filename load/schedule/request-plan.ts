import type { Target } from '../../core/target.ts';
import { effectOf, isForbidden, isOnceEntry, type LoadOperation, type MixEntry } from '../profile/mix.ts';
import type { Profile } from '../profile/profile.ts';
import type { Shard } from './arrivals.ts';
import { type BusyChats, watchBusyChats } from './busy-chats.ts';
import { type ChatTurns, createChatTurns, openChats, restAfter } from './chat-turns.ts';
import { createDraw, type Draw, pick } from './draw.ts';
import type { KnownSources } from './known-sources.ts';
import { createLists, isListEntry } from './list-walk.ts';
import { messageRequest, type PlannedRequest } from './load-request.ts';
import { onceRequests } from './once-requests.ts';
import { requestVariants } from './request-variants.ts';

/** What is sent at one place of the schedule. */
export type Planned = PlannedRequest | { readonly kind: 'dropped'; readonly operation: LoadOperation };

/** The requests of a run: the one at each place follows from the seed, and from the pages that are known by then. */
export type RequestPlan = {
  readonly at: (index: number) => Planned;
  /** What is left out or dropped and why, a sentence each; more may come to light while the plan is used. */
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

/** How one entry of the mix is sent to this target: `at` is undefined where it is left out. */
type Usable = {
  /** Undefined while there is nothing to send. */
  readonly at?: (index: number) => Planned | undefined;
  /** What is sent before anything that is drawn. */
  readonly first?: (index: number) => Planned | undefined;
  /** What is left out and why, a sentence each. */
  readonly notes: () => readonly string[];
};

export function createRequestPlan(options: RequestPlanOptions): RequestPlan {
  const { target, profile, seed } = options;
  const draw = createDraw(seed);
  const deletes = profile.mix.some(
    (entry) => entry.operation === 'deleteDataSource' && !isForbidden(entry, target.allow),
  );
  const known: Known = { sources: new Map(), deletes };
  const all = profile.mix.map((entry) => ({ entry, ...usableOf(entry, options, draw, known) }));
  const usable = all.flatMap(({ entry, at, first }) => (at === undefined ? [] : [{ entry, at, first }]));
  const repeating = usable.filter(({ entry }) => !isOnceEntry(entry));

  /** The first requests cover every operation, so that a short load leaves none of them to chance. */
  function early(index: number): Planned | undefined {
    const own = index < 0 ? undefined : repeating[index];
    if (own !== undefined) return own.at(index);
    for (const { first } of usable) {
      const planned = first?.(index);
      if (planned !== undefined) return planned;
    }
    return undefined;
  }

  return {
    get missing() {
      return all.flatMap(({ notes }) => notes());
    },
    operations: repeating.length === 0 ? [] : usable.map(({ entry }) => entry.operation),
    at(index) {
      const place = draw.at(index, operationLabel);
      // What can be sent only once is used up at some time.
      const planned = early(index) ?? byWeight(usable, place)?.at(index);
      const found = planned ?? byWeight(repeating, place)?.at(index);
      if (found === undefined) throw new Error('a plan has no operation');
      return found;
    },
  };
}

/** What the entries of a plan have in common. */
type Known = { readonly sources: KnownSources; readonly deletes: boolean };

function usableOf(entry: MixEntry, options: RequestPlanOptions, draw: Draw, known: Known): Usable {
  const { target, profile, shard } = options;
  const leftOut = (why: string): Usable => ({ notes: () => [`${entry.operation} is left out: ${why}`] });
  if (isForbidden(entry, target.allow)) return leftOut(`the target file does not allow ${effectOf[entry.operation]}`);
  const notes = () => [];
  if (entry.operation === 'sendMessage') {
    const chats = openChats(target);
    if (chats.length === 0) return leftOut('no declared chat has an admin among the principals');
    // Shards do not know each other's messages, so each has its own chats.
    const own = chats.filter((_, place) => place % shard.of === shard.index - 1);
    const chatsOf = { turns: createChatTurns(own, options.now), busy: watchBusyChats(entry, target) };
    return { at: (index) => planMessage(options, entry, chatsOf, index), notes: chatsOf.busy.notes };
  }
  if (isOnceEntry(entry)) {
    const once = onceRequests(entry, target, profile.timeoutMs, known.sources);
    if (once === undefined) return leftOut(wants(entry.operation));
    // Shards do not know what another one has used up.
    if (shard.index > 1) return { at: () => undefined, notes };
    return { at: (index) => once.take(index < 0), first: (index) => once.takeFirst(index < 0), notes: once.notes };
  }
  if (isListEntry(entry)) {
    const lists = createLists(entry, target, profile.timeoutMs, known);
    if (lists === undefined) return leftOut(wants(entry.operation));
    return { at: (index) => lists.at(draw.at(index, variantLabel), draw.at(index, pageLabel), index < 0), notes };
  }
  const variants = requestVariants(entry, target, profile.timeoutMs).map((request): PlannedRequest => ({
    kind: 'request',
    request,
    done: () => {},
  }));
  if (variants.length === 0) return leftOut(wants(entry.operation));
  return { at: (index) => pick(variants, draw.at(index, variantLabel)), notes };
}

/** One of the entries, by a number from 0 up to 1; undefined if there are none. */
function byWeight<One extends { readonly entry: MixEntry }>(entries: readonly One[], place: number): One | undefined {
  let left = place * entries.reduce((sum, { entry }) => sum + entry.weight, 0);
  return entries.find(({ entry }) => (left -= entry.weight) < 0) ?? entries.at(-1);
}

function planMessage(
  { target, profile, runId }: RequestPlanOptions,
  entry: Extract<MixEntry, { operation: 'sendMessage' }>,
  { turns, busy }: { readonly turns: ChatTurns; readonly busy: BusyChats },
  index: number,
): Planned {
  const chat = turns.take();
  busy.planned(chat === undefined);
  if (chat === undefined) return { kind: 'dropped', operation: 'sendMessage' };
  const { quickPrompt, slowPrompt } = target.assistant;
  const request = messageRequest(target, chat, {
    text: entry.prompt === 'quick' ? quickPrompt : slowPrompt,
    key: `awc-${runId}-${index}`,
    waitSeconds: entry.waitSeconds,
    timeoutMs: profile.timeoutMs,
  });
  return {
    kind: 'request',
    request: { ...request, sure: 'new key' },
    done(outcome) {
      busy.ended(outcome);
      turns.giveBack(chat, restAfter(outcome, target));
    },
  };
}

function wants(operation: LoadOperation): string {
  switch (operation) {
    case 'getBillingAccount':
      return 'the target file declares no billing account whose owner has an admin among the principals';
    case 'deleteDataSource':
      return 'the target file declares no disposable data source of an organization that a principal is adminOf';
    case 'attachOrganization':
      return 'the target file declares no attachable organization with a principal who is adminOf it and of the owner of the account';
    default:
      return 'the target file declares no organization that a principal is adminOf';
  }
}
