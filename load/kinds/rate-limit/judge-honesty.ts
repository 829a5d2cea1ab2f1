import { impliedReset, lineThrough, type Refusal } from '../../../core/implied-resets.ts';
import { median } from '../../compare/statistics/median.ts';
import { alternates } from './alternation.ts';
import { fullShare, type LimitedWindow, type LimitSample, refusalsIn, statingWait } from './limit-sample.ts';
import { freedEarlyMs, refusedMs, slackMs, statedReset, toleratedMs } from './stated-reset.ts';

export type Lie =
  | { readonly kind: 'none' }
  | { readonly kind: 'seconds' }
  | {
      /** It counts down correctly, but to an instant before or after the window is over. */
      readonly kind: 'early' | 'late';
      readonly byMs: number;
    }
  | { readonly kind: 'rising' }
  | { readonly kind: 'constant'; readonly retryAfterMs: number }
  | {
      /** The stated wait is always this many times the actual wait. */
      readonly kind: 'scaled';
      readonly factor: number;
    }
  | { readonly kind: 'scattered'; readonly spreadMs: number };

/** `gradual`: requests were accepted before the stated reset, as by a bucket that says when it is full, or by nodes that count apart. */
type Doubt = 'few' | 'unstated' | 'coarse' | 'gradual';

export type Honesty = {
  readonly verdict: 'honest' | 'dishonest' | 'unclear';
  readonly lie: Lie;
  /** Why the verdict is unclear. */
  readonly doubt: Doubt | undefined;
  /** How far `retryAfterMs` may be from the truth without being called dishonest. */
  readonly toleratedMs: number;
  /** Windows with enough refusals to judge, and those whose refusals contradict each other. */
  readonly judged: number;
  readonly contradicting: number;
  /** The largest disagreement of the implied resets within one window, beyond what travel time explains. */
  readonly spreadMs: number;
  /** Windows in which a single client was refused after it had waited for `retryAfterMs`. */
  readonly refusedAfter: number;
  /** Windows in which it was never refused after waiting. */
  readonly acceptedAfter: number;
  /** Windows in which a request was accepted before the wait was over, of all, and the usual share of the wait until then. */
  readonly early: { readonly windows: number; readonly of: number; readonly share: number };
};

/** A window can be judged if its refusals are spread over this share of it. */
const leastSpan = 0.2;
/** The verdict is honest only if a lie of this size would have been detected. */
const leastLie = 0.2;
/** A bucket that says when it is full frees a share of the quota with each share of the wait, and no more than this besides. */
const gradualShare = 0.2;
const halfShare = 0.5;
/** A value that counts up by one each millisecond has the factor −1. */
const risingBelow = -0.5;

/**
 * Whether `retryAfterMs` is correct. Each refusal implies a reset, between sending plus `retryAfterMs` and receipt plus
 * `retryAfterMs`, because the server computed the value between these two. All refusals of one window imply the same
 * reset, so their intervals must overlap. A server that states s times the actual wait moves the implied reset by 1 − s
 * for each ms that passes:
 *
 *     implied
 *     instant │ ············▁▁▂▂▃▃▄▄   s < 1
 *             │ ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬   honest
 *             └──────────────────────── when it was stated
 */
export function judgeHonesty(windows: readonly LimitedWindow[]): Honesty {
  const judgeable = windows.filter(isJudgeable);
  const spreads = judgeable.map(disagreementMs);
  const contradicting = judgeable.filter(contradictsItself).length;
  const closed = windows.filter(({ isWaitedOut }) => isWaitedOut);
  const waited = closed.filter(hasWaited);
  const refusedAfter = closed.filter(wasRefusedAfterWaiting).length;
  const early = closed.filter((window) => freedEarlyMs(window) > 0);
  const full = fullQuota(windows);
  const followed = windows.slice(1).map((next, index) => ({ window: windows[index] ?? next, next }));
  const compared = followed.filter(({ next }) => !next.isRested && !next.isSplit);
  const freedEarly = compared.filter(({ window, next }) => wasFreedAtOnce(window, next, full)).length;
  const common = {
    judged: judgeable.length,
    contradicting,
    toleratedMs: Math.max(0, ...windows.map(toleratedMs)),
    spreadMs: Math.max(0, ...spreads),
    refusedAfter,
    acceptedAfter: waited.length - refusedAfter,
    early: { windows: early.length, of: closed.length, share: median(early.map(waitedShare)) },
  };
  const isDishonest =
    isMost(contradicting, judgeable.length) ||
    isMost(refusedAfter, closed.length) ||
    isMost(freedEarly, compared.length);
  if (isDishonest) return { ...common, verdict: 'dishonest', lie: nameLie(windows), doubt: undefined };
  const isEarly = early.length >= 2 || (early.length > 0 && alternates(windows));
  const isClear = !isEarly && judgeable.filter(wouldShowLie).length >= 2 && closed.length >= 2;
  const verdict = isClear ? 'honest' : 'unclear';
  return { ...common, verdict, lie: { kind: 'none' }, doubt: isClear ? undefined : doubtOf(windows, isEarly) };
}

function doubtOf(windows: readonly LimitedWindow[], isEarly: boolean): Doubt {
  if (windows.every(({ refused }) => statingWait(refused).length === 0)) return 'unstated';
  if (isEarly) return 'gradual';
  const coarse = windows.filter((window) => leastLie * refusedMs(window) <= toleratedMs(window));
  return isMost(coarse.length, windows.length) ? 'coarse' : 'few';
}

/** One odd window may be an accident; a majority of several windows is not. */
function isMost(count: number, of: number): boolean {
  return count >= 2 && count * 2 > of;
}

/**
 * The most that was accepted at once. The first window may hold two quotas, so it counts only if no window was entered after
 * the whole stated wait.
 */
function fullQuota(windows: readonly LimitedWindow[]): number {
  const hasRested = windows.some(({ isRested }) => isRested);
  const counted = windows.filter(({ isSplit }, index) => !isSplit && (index > 0 || !hasRested));
  return Math.max(...counted.map(({ accepted }) => accepted));
}

/** The share of the stated wait after which a request was accepted. */
function waitedShare(window: LimitedWindow): number {
  const [first] = window.refused;
  if (first === undefined || window.reopened === undefined) return NaN;
  return (window.reopened.sentAt - first.receivedAt) / (statedReset(window) - first.receivedAt);
}

/** Whether more was accepted before the stated reset than a bucket frees that is full at that reset. */
function wasFreedAtOnce(window: LimitedWindow, next: LimitedWindow, full: number): boolean {
  const [[from], [until]] = [window.refused, next.refused];
  if (freedEarlyMs(window) === 0 || from === undefined || until === undefined) return false;
  const resetAt = statedReset(window) - toleratedMs(window);
  const share = ({ receivedAt }: LimitSample) => (receivedAt - from.receivedAt) / (resetAt - from.receivedAt);
  const last = window.refused.at(-1) ?? from;
  // Such a bucket is half full after half of the wait.
  const least = share(last) >= halfShare ? fullShare : share(until) + gradualShare;
  // A bucket may have got one more request in between.
  return share(until) < 1 && next.accepted - 1 > least * (full - 1);
}

function isJudgeable(window: LimitedWindow): boolean {
  const stated = refusalsIn(window);
  const [first] = stated;
  const last = stated.at(-1);
  if (first === undefined || last === undefined || stated.length < 3 || !window.isWaitedOut) return false;
  return last.sentAt - first.sentAt >= leastSpan * refusedMs(window);
}

/** Whether a lie of a fifth would have moved the implied resets further apart than what is tolerated plus travel time. */
function wouldShowLie(window: LimitedWindow): boolean {
  const stated = refusalsIn(window);
  const spanMs = (stated.at(-1)?.sentAt ?? 0) - (stated[0]?.sentAt ?? 0);
  const blurMs = median(stated.map(({ sentAt, receivedAt }) => receivedAt - sentAt));
  return leastLie * spanMs > toleratedMs(window) + blurMs;
}

function contradictsItself(window: LimitedWindow): boolean {
  return disagreementMs(window) > toleratedMs(window);
}

/** The gap between the intervals of the implied resets; 0 if they overlap. */
function disagreementMs(window: LimitedWindow): number {
  const resets = refusalsIn(window).map(impliedReset);
  const latestStart = Math.max(...resets.map(({ earliest }) => earliest));
  return Math.max(0, latestStart - Math.min(...resets.map(({ latest }) => latest)));
}

/** Whether a request was refused although it was sent after the wait that an earlier refusal of the window stated. */
function wasRefusedAfterWaiting(window: LimitedWindow): boolean {
  const earliest = Math.min(...refusalsIn(window).map((refusal) => impliedReset(refusal).latest));
  return window.refused.some(({ sentAt }) => sentAt > earliest + slackMs);
}

/** Whether a client sent a request after the stated wait, rather than being accepted before it was over. */
function hasWaited(window: LimitedWindow): boolean {
  const { reopened } = window;
  const isLate = reopened !== undefined && reopened.receivedAt >= statedReset(window);
  return isLate || wasRefusedAfterWaiting(window);
}

function nameLie(windows: readonly LimitedWindow[]): Lie {
  const factors: number[] = [];
  const stated: { readonly said: number; readonly trueMs: number }[] = [];
  const early: number[] = [];
  const judgeable = windows.filter(isJudgeable);
  for (const window of judgeable) {
    const counting = refusalsIn(window).filter(({ retryAfterMs }) => retryAfterMs > 0);
    factors.push(-slope(counting));
    const reset = window.reopened?.sentAt ?? window.refused.at(-1)?.receivedAt ?? 0;
    for (const { receivedAt, retryAfterMs } of refusalsIn(window)) {
      if (reset - receivedAt > slackMs) stated.push({ said: retryAfterMs, trueMs: reset - receivedAt });
    }
    early.push(reset - median(counting.map((refusal) => impliedReset(refusal).latest)));
  }
  if (judgeable.length === 0) return { kind: 'late', byMs: median(windows.map(freedEarlyMs).filter((ms) => ms > 0)) };
  const spreadMs = Math.max(0, ...judgeable.map(disagreementMs));
  const factor = median(factors);
  const values = judgeable.flatMap((window) => refusalsIn(window).map(({ retryAfterMs }) => retryAfterMs));
  if (stated.length > 0 && stated.every(isInSeconds) && Math.max(...values) > 0) return { kind: 'seconds' };
  const byMs = median(early);
  const isOneReset = !isMost(judgeable.filter(contradictsItself).length, judgeable.length);
  if (isOneReset && Math.abs(factor - 1) < 0.05 && Math.abs(byMs) > slackMs)
    return { kind: byMs > 0 ? 'early' : 'late', byMs: Math.abs(byMs) };
  if (Math.max(...values) - Math.min(...values) <= 0.02 * median(values))
    return { kind: 'constant', retryAfterMs: median(values) };
  if (factor < risingBelow) return { kind: 'rising' };
  const isStraight = factors.every((one) => Math.abs(one - factor) <= 0.1 * Math.max(0.2, factor));
  return isStraight && factor > 0.02 ? { kind: 'scaled', factor } : { kind: 'scattered', spreadMs };
}

/** Whatever the rounding: a value in milliseconds would be far larger. */
function isInSeconds({ said, trueMs }: { readonly said: number; readonly trueMs: number }): boolean {
  return Math.abs(said - trueMs / 1000) <= 1 && said < trueMs / 10;
}

/** How `retryAfterMs` changes with the time of the refusal: −1 if it is honest. */
function slope(refusals: readonly Refusal[]): number {
  return lineThrough(
    refusals.map(({ sentAt, receivedAt, retryAfterMs }) => ({ x: (sentAt + receivedAt) / 2, y: retryAfterMs })),
  ).slope;
}
