import type { Answer } from '../../../core/exchange.ts';
import { waitIn } from '../../../core/paths.ts';
import { perRun } from '../run-memory.ts';
import { missedEnds } from './missed-ends.ts';
import type { Session } from '../session.ts';
import { hasSeenSlowEnd, longestResponseMs, promptOf, rememberResponse, type SentAs } from './response-times.ts';

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
/** A response may end just as one `wait` does, but not as several do. */
const fullEnough = 2;

/** What held requests with a prompt showed, in seconds. */
type Held = {
  /** Each `wait` that was held in full and answered 200. */
  readonly heldInFull: Set<number>;
  /** The shortest wait that is surely held in full. */
  shortestSurelyFull: number | undefined;
  /** The longest that was answered 202. */
  longest202: number;
};

const heldIn = perRun(() => ({ quick: createHeld(), slow: createHeld() }));

function createHeld(): Held {
  return { heldInFull: new Set(), shortestSurelyFull: undefined, longest202: 0 };
}

/** `wait` for a quick prompt, in seconds. */
export function quickPromptWait(session: Session): number {
  return waitFor(session, 'quick');
}

/** `wait` for a slow prompt, in seconds: long enough for its response. */
export function slowPromptWait(session: Session): number {
  const { quickPrompt, slowPrompt } = session.target.assistant;
  return Math.max(waitFor(session, 'slow'), quickPrompt === slowPrompt ? waitFor(session, 'quick') : 0);
}

/** The longest `wait` that is allowed, for a slow prompt, once a response to one was seen to end its request; until then a shorter one. */
export function maximumWaitOnceSeen(session: Session): number {
  const isEnded = hasSeenSlowEnd(session) && !isHeldInFull(session);
  return isEnded ? maximumSeconds : slowPromptWait(session);
}

/** The longest sensible `wait`, in seconds: as long as responses take at most, as declared. */
export function declaredMaximumWait({ target }: Session): number {
  return Math.max(1, Math.min(maximumSeconds, Math.floor(target.assistant.timeoutSeconds)));
}

/** `wait` for the repetition of a message, in seconds: no longer than for a new one. */
export function repeatedWait(session: Session, message: unknown, wait: number): number {
  return isHeldInFull(session) ? Math.min(wait, waitFor(session, promptOf(session, message))) : wait;
}

function waitFor(session: Session, prompt: keyof typeof firstSeconds): number {
  const maximum = declaredMaximumWait(session);
  const { shortestSurelyFull, longest202 } = heldIn(session)[prompt];
  const full = shortestSurelyFull ?? suspectedFull(session, prompt);
  if (full === undefined || full <= longest202) {
    const ends = prompt === 'quick' ? missedEnds(session) : undefined;
    if (ends !== undefined && ends.missed.length > 0) return Math.min(maximum, ends.enough);
    const longest = Math.ceil(longestResponseMs(session) / 1000);
    return Math.min(maximum, longest202 < firstSeconds[prompt] ? firstSeconds[prompt] : longest);
  }
  if (full > reduction * longest202 + 1) return Math.max(longest202 + 1, Math.round(full / reduction));
  const isFarFrom = isHeldInFull(session) && full > closeEnough * longest202 + 1;
  return isFarFrom ? Math.ceil((full + longest202) / 2) : full;
}

/**
 * A `wait` that the deployment may hold in full even if the response finishes earlier. Either one was held in full, which may be a
 * coincidence; or requests with the quick prompt are held in full, and this is the first `wait` for the slow prompt. A shorter
 * `wait` then shows whether the deployment does so.
 */
function suspectedFull(session: Session, prompt: keyof typeof firstSeconds): number | undefined {
  const { quick, [prompt]: held } = heldIn(session);
  if (held.heldInFull.size > 0) return Math.min(...held.heldInFull);
  return quick.shortestSurelyFull === undefined ? undefined : firstSeconds[prompt];
}

/** Whether some request was held for its whole `wait` although the response may have finished long before. */
export function isHeldInFull(session: Session): boolean {
  const { quick, slow } = heldIn(session);
  return quick.shortestSurelyFull !== undefined || slow.shortestSurelyFull !== undefined;
}

/** Whether some request was held for its whole `wait`, which may be a coincidence. */
export function mayBeHeldInFull(session: Session): boolean {
  return isHeldInFull(session) || heldIn(session).quick.heldInFull.size > 0;
}

/** Whether the answer came at the end of the request's `wait`. */
export function tookWholeWait({ exchange, elapsedMs }: Answer): boolean {
  return elapsedMs >= wholeShare * 1000 * Number(waitIn(exchange.request.path));
}

/** Remembers what an accepted message with `wait` shows about held requests, and about the time that responses take. */
export function rememberHeld(
  session: Session,
  message: unknown,
  wait: number,
  answer: Answer,
  sentAs: SentAs = 'message',
): void {
  rememberResponse(session, message, answer, sentAs);
  const { status, elapsedMs } = answer;
  if (elapsedMs < wholeShare * 1000 * wait) return;
  const held = heldIn(session)[promptOf(session, message)];
  if (status === 202) held.longest202 = Math.max(held.longest202, wait);
  else if (status === 200 && wait >= leastShownSeconds) {
    held.heldInFull.add(wait);
    if (held.heldInFull.size >= fullEnough)
      held.shortestSurelyFull = Math.min(held.shortestSurelyFull ?? wait, ...held.heldInFull);
  }
}

/** Remembers that an answer to the quick prompt came long after its response had finished. */
export function rememberLate(session: Session, elapsedMs: number): void {
  const { quick } = heldIn(session);
  const seconds = Math.ceil(elapsedMs / 1000);
  quick.shortestSurelyFull = Math.min(quick.shortestSurelyFull ?? seconds, seconds);
}
