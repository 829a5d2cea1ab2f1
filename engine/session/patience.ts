import type { Chat } from './chat-pool.ts';
import { perRun } from './run-memory.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Session } from './session.ts';
import { waitIn } from '../../core/paths.ts';

/** The longest `wait` that the specification allows, in seconds. */
const maximumSeconds = 300;
/** The first `wait` for a response to the quick prompt and to the slow one, in seconds. */
const firstSeconds = { quick: 10, slow: 30 } as const;
/** A request was held for its whole `wait` if it took this share of it. A shorter `wait` shows nothing about that. */
const wholeShare = 0.95;
const leastShownSeconds = 3;
/** By how much the `wait` of a deployment that holds requests for their whole `wait` is reduced. */
const reduction = 4;
/** A `wait` is long enough for a response, and not much too long, up to this multiple of one that was too short. */
const closeEnough = 1.5;

/** The shortest patience, in milliseconds, and by how much patience is reduced each time that it had no result. */
const leastMs = 5000;
const reductions = {
  'an answer': 2,
  'an idle chat': 8,
  'the end of refusals': 8,
  'the refusal of a wait': 4,
  'other traffic in a chat': 4,
  'the end of a rate limit': 4,
  'recovery from an outage': 8,
  'a copy after an outage': 8,
  'a list after a deletion': 8,
} as const;
/** Once a slow response has finished, no other is expected to take longer than this many times the longest one, or than this time, in milliseconds. */
const timesLonger = 10;
const leastBusyMs = 30_000;
/** What a run waits for without knowing whether it happens. */
type Awaited = keyof typeof reductions;

/**
 * What held requests showed, in seconds: each `wait` that was held in full and answered 200, the shortest wait that is surely
 * held in full, and the longest that was answered 202.
 */
type Held = { readonly full: Set<number>; whole: number | undefined; outlasted: number };

/** A response may end just as one `wait` does, but not as several do. */
const fullEnough = 2;

/** A new message, or one that was sent again with its key. */
type ShownBy = 'message' | 'repetition';

/** The waiting budget of a run: what was waited for without result is not waited for as long again. */
const budgetIn = perRun(() => ({
  quick: createHeld(),
  slow: createHeld(),
  /** The longest time that an accepted message was held, in milliseconds, and that a new one was held until its response had finished. */
  longestHeldMs: 0,
  longestFinishedMs: 0,
  /** What showed a finished response to the slow prompt: a repetition does not show how long that took. */
  slowShownBy: new Set<ShownBy>(),
  withoutResult: new Map<Awaited, number>(),
  givenUp: new Set<Chat>(),
}));

function createHeld(): Held {
  return { full: new Set(), whole: undefined, outlasted: 0 };
}

/** `wait` for a quick prompt, in seconds. */
export function firstWait(session: Session): number {
  return waitFor(session, 'quick');
}

/** `wait` for a slow prompt, in seconds: long enough for its response. */
export function longestWait(session: Session): number {
  const { quickPrompt, slowPrompt } = session.target.assistant;
  return Math.max(waitFor(session, 'slow'), quickPrompt === slowPrompt ? waitFor(session, 'quick') : 0);
}

/** The longest `wait` that is allowed, for a slow prompt, once a response to one was seen to end its request; until then a shorter one. */
export function maximumWait(session: Session): number {
  const isEnded = budgetIn(session).slowShownBy.has('message') && !isHeldInFull(session);
  return isEnded ? maximumSeconds : longestWait(session);
}

/** The longest sensible `wait`, in seconds. */
export function mostWait({ target }: Session): number {
  return Math.max(1, Math.min(maximumSeconds, Math.floor(target.assistant.timeoutSeconds)));
}

/** `wait` for the repetition of a message, in seconds: no longer than for a new one. */
export function repeatedWait(session: Session, message: unknown, wait: number): number {
  return isHeldInFull(session) ? Math.min(wait, waitFor(session, promptOf(session, message))) : wait;
}

function promptOf({ target }: Session, message: unknown): keyof typeof firstSeconds {
  const { slowPrompt, quickPrompt } = target.assistant;
  return message === slowPrompt && slowPrompt !== quickPrompt ? 'slow' : 'quick';
}

function waitFor(session: Session, prompt: keyof typeof firstSeconds): number {
  const most = mostWait(session);
  const { whole, outlasted } = budgetIn(session)[prompt];
  const full = whole ?? suspectedWhole(session, prompt);
  if (full === undefined || full <= outlasted) {
    const longest = Math.ceil(longestResponseMs(session) / 1000);
    return Math.min(most, outlasted < firstSeconds[prompt] ? firstSeconds[prompt] : longest);
  }
  if (full > reduction * outlasted + 1) return Math.max(outlasted + 1, Math.round(full / reduction));
  const isFarFrom = isHeldInFull(session) && full > closeEnough * outlasted + 1;
  return isFarFrom ? Math.ceil((full + outlasted) / 2) : full;
}

/**
 * A `wait` that the deployment may hold in full even if the response finishes earlier. Either one was held in full, which may be a
 * coincidence; or requests with the quick prompt are held in full, and this is the first `wait` for the slow prompt. A shorter
 * `wait` then shows whether the deployment does so.
 */
function suspectedWhole(session: Session, prompt: keyof typeof firstSeconds): number | undefined {
  const { quick, [prompt]: held } = budgetIn(session);
  if (held.full.size > 0) return Math.min(...held.full);
  return quick.whole === undefined ? undefined : firstSeconds[prompt];
}

/** Whether some request was held for its whole `wait` although the response may have finished long before. */
export function isHeldInFull(session: Session): boolean {
  const { quick, slow } = budgetIn(session);
  return quick.whole !== undefined || slow.whole !== undefined;
}

/** Whether some request was held for its whole `wait`, which may be a coincidence. */
export function mayBeHeldInFull(session: Session): boolean {
  return isHeldInFull(session) || budgetIn(session).quick.full.size > 0;
}

/** Whether the answer came at the end of the request's `wait`. */
export function tookWholeWait({ exchange, elapsedMs }: Answer): boolean {
  return elapsedMs >= wholeShare * 1000 * Number(waitIn(exchange.request.path));
}

/** Remembers what an accepted message with `wait` shows about the time that responses take. */
export function rememberHeld(
  session: Session,
  message: unknown,
  wait: number,
  { status, elapsedMs }: Answer,
  shownBy: ShownBy = 'message',
): void {
  const budget = budgetIn(session);
  budget.longestHeldMs = Math.max(budget.longestHeldMs, elapsedMs);
  if (status === 200) {
    if (shownBy === 'message') budget.longestFinishedMs = Math.max(budget.longestFinishedMs, elapsedMs);
    if (message === session.target.assistant.slowPrompt) budget.slowShownBy.add(shownBy);
  }
  if (elapsedMs < wholeShare * 1000 * wait) return;
  const held = budget[promptOf(session, message)];
  if (status === 202) held.outlasted = Math.max(held.outlasted, wait);
  else if (status === 200 && wait >= leastShownSeconds) {
    held.full.add(wait);
    if (held.full.size >= fullEnough) held.whole = Math.min(held.whole ?? wait, ...held.full);
  }
}

/** Remembers that an answer to the quick prompt came long after its response had finished. */
export function rememberLate(session: Session, elapsedMs: number): void {
  const { quick } = budgetIn(session);
  const seconds = Math.ceil(elapsedMs / 1000);
  quick.whole = Math.min(quick.whole ?? seconds, seconds);
}

/** How long to wait for that, in milliseconds: `ms` at first, and less each time that it did not happen. */
export function patienceMs(session: Session, awaited: Awaited, ms: number): number {
  const count = budgetIn(session).withoutResult.get(awaited) ?? 0;
  return count === 0 ? ms : Math.min(ms, Math.max(leastMs, ms / reductions[awaited] ** count));
}

/** Remembers that this was waited for without result. */
export function waitedWithoutResult(session: Session, awaited: Awaited): void {
  const { withoutResult } = budgetIn(session);
  withoutResult.set(awaited, (withoutResult.get(awaited) ?? 0) + 1);
}

/** The longest time that a response may take by what this run saw, in milliseconds: as declared if no slow one has finished. */
export function longestResponseMs(session: Session): number {
  const declaredMs = session.target.assistant.timeoutSeconds * 1000;
  if (budgetIn(session).slowShownBy.size === 0) return declaredMs;
  return Math.min(declaredMs, Math.max(leastBusyMs, timesLonger * longestSeenMs(session)));
}

/** The longest time that a message is held for its response, in milliseconds. A response to the quick prompt shows how long others take. */
export function longestHoldMs(session: Session, message: unknown): number {
  const { longestFinishedMs } = budgetIn(session);
  const longestMs = longestResponseMs(session);
  if (promptOf(session, message) === 'slow' || longestFinishedMs === 0) return longestMs;
  return Math.min(longestMs, Math.max(leastBusyMs, timesLonger * longestFinishedMs));
}

/** How long a busy chat may stay busy, in milliseconds: not at all if it was given up, and longer than any response so far. */
export function idlePatienceMs(session: Session, chat: Chat): number {
  if (budgetIn(session).givenUp.has(chat)) return 0;
  const fullMs = longestResponseMs(session);
  return Math.min(fullMs, Math.max(2 * longestSeenMs(session), patienceMs(session, 'an idle chat', fullMs)));
}

/**
 * How long a chat may refuse messages with another status than 409, in milliseconds. A generating response may be the reason. Any other
 * reason hardly ends within the run.
 */
export function refusalPatienceMs(session: Session): number {
  return patienceMs(session, 'the end of refusals', Math.max(leastBusyMs, 2 * longestSeenMs(session)));
}

/** Remembers that a chat refused messages for longer than that. */
export function refusedForGood(session: Session): void {
  waitedWithoutResult(session, 'the end of refusals');
}

/** A message that was held without a result shows nothing about finished responses, but counts until a new slow one has finished. */
function longestSeenMs(session: Session): number {
  const { slowShownBy, longestFinishedMs, longestHeldMs } = budgetIn(session);
  return slowShownBy.has('message') ? longestFinishedMs : longestHeldMs;
}

/** Remembers that the chat stayed busy for longer than its patience. */
export function stayedBusy(session: Session, chat: Chat): void {
  const { givenUp } = budgetIn(session);
  if (givenUp.has(chat)) return;
  givenUp.add(chat);
  waitedWithoutResult(session, 'an idle chat');
}
