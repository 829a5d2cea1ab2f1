import { firstFailure } from './lanes.ts';

/** A request to a chat, as evidence of when responses were generating. All times are in milliseconds. */
export type Attempt = {
  /** Requests with one key are one message. */
  readonly key: string;
  readonly sentAt: number;
  /** Infinity when no answer came. */
  readonly receivedAt: number;
  /** How long the request asked to be held; 0 without wait. */
  readonly waitMs: number;
  /** 0 when no answer came. */
  readonly status: number;
};

type Explanation<A extends Attempt> =
  | { readonly kind: 'explained' }
  /** Too many messages overlap to try every order of them. */
  | { readonly kind: 'undecided' }
  /** `overlap`: two responses generated at the same time. `conflict`: a 409 while none was generating. */
  | { readonly kind: 'inexplicable'; readonly reason: 'overlap' | 'conflict'; readonly attempts: readonly A[] };

type History<A extends Attempt> = {
  /** When the chat was seen idle; every attempt came later. */
  readonly idleAt: number;
  /** How late a deployment may notice that a response finished, and accept the next message. */
  readonly toleranceMs: number;
  readonly attempts: readonly A[];
};

/** One accepted message: bounds for the instants at which it was accepted and its response finished. */
type Message<A> = {
  readonly acceptedFrom: number;
  readonly acceptedUntil: number;
  /** The minimum duration of the response. */
  readonly tookMs: number;
  readonly generatingAt: number;
  readonly finishedBy: number;
  readonly attempts: readonly A[];
};

/** The number of search steps before the result is undecided. */
const maxSteps = 20_000;

/**
 * Whether a deployment that generates one response at a time in a chat can have given these answers.
 *
 * An accepted message has an instant of acceptance within its request, and its response ends later. A 200 shows that
 * the response ended before the answer. A 202 that was held for its whole `wait` shows that the response lasted that long. A
 * repeated request counts once repetitions of its key are known to follow the state. A 409 shows that some response was
 * generating at some instant of its request. The history is inexplicable only if no choice of the instants fits all.
 */
export function explain<A extends Attempt>({ idleAt, toleranceMs, attempts }: History<A>): Explanation<A> {
  const groups = [...Map.groupBy(attempts, ({ key }) => key).values()];
  const messages = groups.flatMap((group) => messageOf(group, toleranceMs) ?? []);
  const conflicts = groups.flatMap((group) => conflictOf(group) ?? []);
  // A message without an answer, or with an error of the server, may have been accepted: so it explains every later 409.
  const unsureFrom = Math.min(
    ...attempts.filter(({ status }) => status === 0 || status >= 500).map(({ sentAt }) => sentAt),
  );
  const judged = conflicts.filter(({ receivedAt }) => receivedAt < unsureFrom);
  const free = idleAt + toleranceMs;

  if (arrange(messages, [], free, toleranceMs) === false)
    return { kind: 'inexplicable', reason: 'overlap', attempts: overlapping(messages, toleranceMs) };
  const withConflicts = arrange(messages, judged, free, toleranceMs);
  if (withConflicts === 'too many') return { kind: 'undecided' };
  if (withConflicts) return { kind: 'explained' };
  const alone = judged.find((conflict) => arrange(messages, [conflict], free, toleranceMs) === false);
  const unexplained = alone === undefined ? judged : [alone];
  return {
    kind: 'inexplicable',
    reason: 'conflict',
    attempts: [...messages.flatMap((m) => m.attempts), ...unexplained],
  };
}

/** The time of the first answer after which the history is inexplicable. A request that is not answered yet may have been accepted. */
export function inexplicableFrom<A extends Attempt>({ attempts, ...history }: History<A>): number {
  const until = (time: number): readonly Attempt[] =>
    attempts
      .filter(({ sentAt }) => sentAt <= time)
      .map((attempt) =>
        attempt.receivedAt <= time ? attempt : { ...attempt, receivedAt: Number.POSITIVE_INFINITY, status: 0 },
      );
  return firstFailure(
    attempts.map(({ receivedAt }) => receivedAt),
    (time) => explain({ ...history, attempts: until(time) }).kind === 'inexplicable',
  );
}

/** What the attempts of one key show; undefined if none was accepted. */
function messageOf<A extends Attempt>(group: readonly A[], toleranceMs: number): Message<A> | undefined {
  const accepted = group.filter(isAccepted);
  if (accepted.length === 0) return undefined;
  const accepting = group.filter((attempt) => isAccepted(attempt) || attempt.status === 0 || attempt.status >= 500);
  const acceptedFrom = Math.min(...accepting.map(({ sentAt }) => sentAt));
  const answeredAt = Math.min(...accepted.map(({ receivedAt }) => receivedAt));
  const [first] = accepting.toSorted((one, other) => one.sentAt - other.sentAt);
  const rest = accepting.filter((attempt) => attempt !== first);
  // It is unknown which of several overlapping requests was accepted and which repeated it.
  const isAlone = first !== undefined && rest.every(({ sentAt }) => sentAt >= first.receivedAt);
  const tookMs = isAlone ? heldMs(first, toleranceMs) : 0;
  const finished = accepted.filter(({ status }) => status === 200);
  return {
    acceptedFrom,
    acceptedUntil: answeredAt - tookMs,
    tookMs,
    generatingAt: isAlone && first.status === 202 ? seenGeneratingAt(rest, toleranceMs) : Number.NEGATIVE_INFINITY,
    finishedBy: Math.min(...finished.map(({ receivedAt }) => receivedAt)),
    attempts: group,
  };
}

/** How long the response lasted at least: a 202 at the end of its `wait` shows that it lasted that long. */
function heldMs({ status, waitMs, sentAt, receivedAt }: Attempt, toleranceMs: number): number {
  const least = Math.max(0, waitMs - toleranceMs);
  return status === 202 && receivedAt - sentAt >= least ? least : 0;
}

/** The last instant at which a repetition shows the response generating. Those without `wait` may show the original answer only. */
function seenGeneratingAt(repeated: readonly Attempt[], toleranceMs: number): number {
  const alike = [true, false].map((isHeld) => repeated.filter(({ waitMs }) => waitMs > 0 === isHeld));
  return Math.max(...alike.map((some) => seenGeneratingIn(some, toleranceMs)));
}

/**
 * The same of repetitions that are answered alike; a held one shows the response generating until its `wait` ends. They count
 * only if a later one was answered 200, because only then do they follow the state.
 */
function seenGeneratingIn(repeated: readonly Attempt[], toleranceMs: number): number {
  const turnedAt = Math.max(...repeated.filter(({ status }) => status === 200).map(({ sentAt }) => sentAt));
  const before = repeated.filter(({ status, receivedAt }) => status === 202 && receivedAt <= turnedAt);
  return Math.max(...before.map((attempt) => attempt.sentAt + heldMs(attempt, toleranceMs) - toleranceMs));
}

/** The 409 of a key that was not in use; a key in use may be refused as a repetition. */
function conflictOf<A extends Attempt>(group: readonly A[]): A | undefined {
  const [first, second] = group.toSorted((one, other) => one.sentAt - other.sentAt);
  if (first?.status !== 409) return undefined;
  return second !== undefined && second.sentAt < first.receivedAt ? undefined : first;
}

function isAccepted({ status }: Attempt): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether some order of the messages explains the answers. Within an order, each message is accepted as early and its response
 * ends as late as possible. That leaves the most room for the next message, and the fewest times at which no 409 is allowed.
 */
function arrange<A>(
  messages: readonly Message<A>[],
  conflicts: readonly Attempt[],
  freeFrom: number,
  toleranceMs: number,
): boolean | 'too many' {
  let steps = 0;

  /** `endedAt`: the earliest end of the placed messages. `free`: the time after which none of them was generating. */
  function place(left: readonly Message<A>[], endedAt: number, free: number): boolean {
    steps += 1;
    if (steps > maxSteps) return false;
    if (left.length === 0) return !conflicts.some(({ sentAt }) => sentAt > free);
    return left.some((message) => {
      const acceptedAt = Math.max(message.acceptedFrom, endedAt);
      const endsAt = Math.max(acceptedAt + message.tookMs, message.generatingAt);
      if (acceptedAt > message.acceptedUntil || endsAt > message.finishedBy) return false;
      if (conflicts.some(({ sentAt, receivedAt }) => sentAt > free && receivedAt < acceptedAt)) return false;
      return place(
        left.filter((other) => other !== message),
        endsAt,
        message.finishedBy + toleranceMs,
      );
    });
  }

  const found = place(messages, Number.NEGATIVE_INFINITY, freeFrom);
  return found || steps <= maxSteps ? found : 'too many';
}

/** The attempts of two messages that exclude each other, or of all messages if no two do. */
function overlapping<A>(messages: readonly Message<A>[], toleranceMs: number): readonly A[] {
  for (const [index, one] of messages.entries()) {
    for (const other of messages.slice(index + 1)) {
      const fits = arrange([one, other], [], Number.NEGATIVE_INFINITY, toleranceMs);
      if (fits === false) return [...one.attempts, ...other.attempts];
    }
  }
  return messages.flatMap(({ attempts }) => attempts);
}
