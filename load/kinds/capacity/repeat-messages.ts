import { isAccepted } from '../../engine/send-one.ts';
import type { Listener } from '../../engine/open-engine.ts';
import { createDraw } from '../../schedule/draw.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import type { Planned, RequestPlan } from '../../schedule/request-plan.ts';
import { type Followed, repetitionOf } from './followed-message.ts';
import type { Ended } from './judged.ts';

/** One request in ten continues a sequence, if a message of the run can be continued. */
const share = 0.1;
const shareLabel = 5;
/** How long until a response that was generating is looked at again, in milliseconds. */
const lookMs = 300;
/** How long until another message is sent to a chat that refused one, in milliseconds. */
const secondMs = 2000;
/** Bounds of a trial: messages that are followed, and answers that are kept. */
const mostFollowed = 500;
const mostKept = 5000;

export type RepeatedMessages = {
  /** The plan of the load, in which a share of the requests repeat messages, or write to a busy chat. */
  readonly at: RequestPlan['at'];
  readonly listener: Listener;
  readonly followed: readonly Followed[];
  /** The first requests of messages whose responses are not known to be finished. */
  readonly unfinished: () => readonly Ended[];
};

export type RepeatOptions = {
  readonly plan: Pick<RequestPlan, 'at'>;
  /** The name of the idempotency header. */
  readonly keyHeader: string;
  readonly seed: number;
  /** The first requests of messages of earlier trials, which are repeated too. */
  readonly earlier: readonly Ended[];
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
 * other messages are sent to the chat, which must be refused.
 *
 *     A  ├─ 202        ├─ 202     ├─ 202     ├─ 200     with one key: the same messages
 *     B       ├─ 409                                    with another key
 */
export function repeatMessages({ plan, keyHeader, seed, earlier, now }: RepeatOptions): RepeatedMessages {
  const draw = createDraw(seed);
  const followed: State[] = [];
  const due: Step[] = [];
  const underWay = new Map<LoadRequest, Step>();
  const releases = new Map<LoadRequest, () => void>();
  let kept = 0;
  let turn = 0;
  for (const first of earlier) {
    const message = stateOf(first, undefined);
    followed.push(message);
    due.push({ kind: 'second', message, readyAt: 0 }, { kind: 'again', message, readyAt: 0 });
  }

  function at(index: number): Planned {
    const step = index >= 0 && draw.at(index, shareLabel) < share ? takeStep() : undefined;
    if (step !== undefined) return plannedOf(step, { keyHeader, index }, underWay);
    const planned = plan.at(index);
    // No chat is idle, so the message goes to a busy one.
    const instead =
      index >= 0 && planned.kind === 'dropped' && planned.operation === 'sendMessage' ? takeDue(due, now()) : undefined;
    return instead === undefined ? withChatKept(planned, releases) : plannedOf(instead, { keyHeader, index }, underWay);
  }

  function takeStep(): Step | undefined {
    const next = takeDue(due, now());
    if (next !== undefined) return next;
    turn += 1;
    const message = kept < mostKept ? followed[turn % followed.length] : undefined;
    return message === undefined || message.isRepeating ? undefined : { kind: 'again', message, readyAt: now() };
  }

  function listener(...[request, arrived, { sentAt, endedAt }]: Parameters<Listener>): void {
    const ended = { request, arrived, sentAt, endedAt };
    const step = underWay.get(request);
    underWay.delete(request);
    if (step !== undefined) goOn(step, ended);
    else if (request.operation === 'sendMessage') {
      const message = follow(ended, releases.get(request));
      if (arrived.outcome === 202) due.push({ kind: 'second', message, readyAt: 0 });
    }
    releases.delete(request);
  }

  /** Returns what is known of a message that was sent for the first time. */
  function follow(first: Ended, release: State['release']): State {
    const message = stateOf(first, release);
    const { isFinished } = message;
    if (isFinished || followed.length >= mostFollowed) release?.();
    if (!isAccepted(first) || followed.length >= mostFollowed) return message;
    followed.push(message);
    kept += 1;
    due.push({ kind: 'again', message, readyAt: 0 });
    return message;
  }

  function goOn({ kind, message }: Step, ended: Ended): void {
    kept += 1;
    if (kind === 'second') {
      const next = isAccepted(ended) ? message.release : undefined;
      if (next !== undefined) message.release = undefined;
      message.seconds.push(follow(ended, next));
      const isBusy = ended.arrived.outcome === 409 && kept < mostKept;
      if (isBusy) due.push({ kind, message, readyAt: now() + secondMs });
      return;
    }
    message.isRepeating = false;
    message.again.push(ended);
    if (message.isFinished) return;
    message.isFinished = ended.arrived.outcome === 200;
    if (message.isFinished) message.release?.();
    else if (kept < mostKept) due.push({ kind: 'again', message, readyAt: now() + lookMs });
  }

  const unfinished = () => followed.filter(({ isFinished }) => !isFinished).map(({ first }) => first);
  return { at, listener, followed, unfinished };
}

function stateOf(first: Ended, release: State['release']): State {
  const isFinished = first.arrived.outcome !== 202;
  return { first, again: [], afterLoad: [], seconds: [], release, isRepeating: false, isFinished };
}

/** Removes and returns the step that shows most at this time. Soon after a message, its response surely goes on. */
function takeDue(due: Step[], at: number): Step | undefined {
  const ready = due.filter(
    ({ kind, message, readyAt }) => readyAt <= at && !message.isRepeating && (kind === 'again' || !message.isFinished),
  );
  const next = ready.findLast(isFirst) ?? ready.find(isUrgent) ?? ready[0];
  if (next !== undefined) due.splice(due.indexOf(next), 1);
  return next;
}

function isFirst({ kind, message: { seconds, again } }: Step): boolean {
  return kind === 'second' ? seconds.length === 0 : again.length === 0;
}

/** Whether the chat accepted another message, so that it matters whether the response to the first one goes on. */
function isUrgent({ message: { seconds } }: Step): boolean {
  return seconds.some(({ first }) => isAccepted(first));
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

function plannedOf(
  { kind, message, readyAt }: Step,
  { keyHeader, index }: { readonly keyHeader: string; readonly index: number },
  underWay: Map<LoadRequest, Step>,
): Planned {
  const { request: first } = message.first;
  const { headers } = first.request;
  const other = { ...first.request, headers: { ...headers, [keyHeader]: `${headers[keyHeader]}-second-${index}` } };
  const request = kind === 'again' ? repetitionOf(message.first) : { ...first, request: other };
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
