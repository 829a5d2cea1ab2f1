import { isAccepted } from '../../engine/send-one.ts';
import type { Listener } from '../../engine/open-engine.ts';
import { createDraw } from '../../schedule/draw.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import type { Planned, RequestPlan } from '../../schedule/request-plan.ts';
import type { Followed } from './followed-message.ts';
import type { Ended } from './judged.ts';

/** One request in ten continues a sequence, if a message of the run can be continued. */
const share = 0.1;
const shareLabel = 5;
/** How long until a response that was generating is looked at again, in milliseconds. */
const lookMs = 300;
/** Bounds of a trial: messages that are followed, and answers that are kept. */
const mostFollowed = 500;
const mostKept = 5000;

export type RepeatedMessages = {
  /** The plan of the load, in which a share of the requests repeat messages, or write to a busy chat. */
  readonly at: RequestPlan['at'];
  readonly listener: Listener;
  readonly followed: readonly Followed[];
};

export type RepeatOptions = {
  readonly plan: Pick<RequestPlan, 'at'>;
  /** The name of the idempotency header. */
  readonly keyHeader: string;
  readonly seed: number;
  /** Milliseconds, as in the instants of the listener. */
  readonly now: () => number;
};

type State = Followed & {
  /** Gives the chat back; undefined if a later message occupies it. */
  release: (() => void) | undefined;
  /** One repetition at a time, because a deployment may refuse a key that is in use at that moment. */
  isRepeating: boolean;
  isFinished: boolean;
};

type Step = { readonly kind: 'again' | 'second'; readonly message: State; readonly readyAt: number };

/**
 * Continues the messages of a load. Each accepted message is repeated with its key. While its response is generating,
 * another message is sent to the chat, which must be refused.
 *
 *     A  ├─ 202        ├─ 202     ├─ 202     ├─ 200     with one key: the same messages
 *     B       ├─ 409                                    with another key
 */
export function repeatMessages({ plan, keyHeader, seed, now }: RepeatOptions): RepeatedMessages {
  const draw = createDraw(seed);
  const followed: State[] = [];
  const due: Step[] = [];
  const underWay = new Map<LoadRequest, Step>();
  const releases = new Map<LoadRequest, () => void>();
  let kept = 0;
  let turn = 0;

  function at(index: number): Planned {
    const step = index >= 0 && draw.at(index, shareLabel) < share ? takeStep() : undefined;
    if (step !== undefined) return plannedOf(step, keyHeader, underWay);
    return withChatKept(plan.at(index), releases);
  }

  function takeStep(): Step | undefined {
    const readyAt = now();
    const index = due.findIndex((step) => step.readyAt <= readyAt && !step.message.isRepeating);
    if (index >= 0) return due.splice(index, 1)[0];
    turn += 1;
    const message = kept < mostKept ? followed[turn % followed.length] : undefined;
    return message === undefined || message.isRepeating ? undefined : { kind: 'again', message, readyAt };
  }

  function listener(...[request, arrived, { sentAt, endedAt }]: Parameters<Listener>): void {
    const ended = { request, arrived, sentAt, endedAt };
    const step = underWay.get(request);
    underWay.delete(request);
    if (step !== undefined) goOn(step, ended);
    else if (request.operation === 'sendMessage') follow(ended, releases.get(request));
    releases.delete(request);
  }

  /** Returns what is known of a message that was sent for the first time. */
  function follow(first: Ended, release: State['release']): State {
    const isFinished = first.arrived.outcome !== 202;
    const message: State = { first, again: [], second: undefined, release, isRepeating: false, isFinished };
    if (isFinished || followed.length >= mostFollowed) release?.();
    if (!isAccepted(first) || followed.length >= mostFollowed) return message;
    followed.push(message);
    kept += 1;
    if (!isFinished) due.push({ kind: 'second', message, readyAt: 0 });
    due.push({ kind: 'again', message, readyAt: isFinished ? 0 : now() + lookMs });
    return message;
  }

  function goOn({ kind, message }: Step, ended: Ended): void {
    kept += 1;
    if (kind === 'second') {
      const next = isAccepted(ended) ? message.release : undefined;
      if (next !== undefined) message.release = undefined;
      message.second = follow(ended, next);
      return;
    }
    message.isRepeating = false;
    message.again.push(ended);
    if (message.isFinished) return;
    message.isFinished = ended.arrived.outcome === 200;
    if (message.isFinished) message.release?.();
    else if (kept < mostKept) due.push({ kind: 'again', message, readyAt: now() + lookMs });
  }

  return { at, listener, followed };
}

/** A chat whose response is generating stays taken until a repetition shows that the response is finished. */
function withChatKept(planned: Planned, releases: Map<LoadRequest, () => void>): Planned {
  if (planned.kind !== 'request' || planned.request.operation !== 'sendMessage') return planned;
  const { request, done } = planned;
  return {
    ...planned,
    done(outcome, body) {
      if (outcome === 202) releases.set(request, () => done(200, body));
      else done(outcome, body);
    },
  };
}

function plannedOf({ kind, message, readyAt }: Step, keyHeader: string, underWay: Map<LoadRequest, Step>): Planned {
  const { request: first } = message.first;
  const { headers } = first.request;
  const other = { ...first.request, headers: { ...headers, [keyHeader]: `${headers[keyHeader]}-second` } };
  const request = kind === 'again' ? { ...first, sure: undefined } : { ...first, request: other };
  underWay.set(request, { kind, message, readyAt });
  message.isRepeating ||= kind === 'again';
  return {
    kind: 'request',
    request,
    done(outcome) {
      if (outcome !== 'unsent') return;
      underWay.delete(request);
      if (kind === 'again') message.isRepeating = false;
    },
  };
}
