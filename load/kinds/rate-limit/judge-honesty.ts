import { impliedReset, lineThrough, type Refusal, roundingOf } from '../../../core/implied-resets.ts';
import { median } from '../../compare/statistics/median.ts';
import { type LimitedWindow, refusalsIn } from './limit-sample.ts';

export type Lie =
  | { readonly kind: 'none' }
  | { readonly kind: 'seconds' }
  | {
      /** It counts down correctly, but to an instant before the window is over. */
      readonly kind: 'early';
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

export type Honesty = {
  readonly verdict: 'honest' | 'dishonest' | 'unclear';
  readonly lie: Lie;
  /** Windows with enough refusals to judge, and those whose refusals contradict each other. */
  readonly judged: number;
  readonly contradicting: number;
  /** The largest disagreement of the implied resets within one window, beyond what travel time explains. */
  readonly spreadMs: number;
  /** Windows in which a single client was refused after it had waited for `retryAfterMs`. */
  readonly refusedAfter: number;
  /** Windows in which it was never refused after waiting. */
  readonly acceptedAfter: number;
};

/** How much the refusals of a window may differ: timers, and a part of the window for servers with different clocks. */
const slackMs = 25;
const slackShare = 0.05;
/** A window can be judged if its refusals are spread over this share of it. */
const leastSpan = 0.2;
/** The verdict is honest only if a lie of this size would have been detected. */
const leastLie = 0.2;
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
  const contradicting = judgeable.filter((window, index) => (spreads[index] ?? 0) > allowedMs(window)).length;
  const closed = windows.filter(({ isWaitedOut }) => isWaitedOut);
  const refusedAfter = closed.filter(wasRefusedAfterWaiting).length;
  const common = {
    judged: judgeable.length,
    contradicting,
    spreadMs: Math.max(0, ...spreads),
    refusedAfter,
    acceptedAfter: closed.length - refusedAfter,
  };
  const isDishonest = isMost(contradicting, judgeable.length) || isMost(refusedAfter, closed.length);
  if (isDishonest) return { ...common, verdict: 'dishonest', lie: nameLie(windows) };
  const isClear = judgeable.filter(wouldShowLie).length >= 2 && closed.length >= 2;
  return { ...common, verdict: isClear ? 'honest' : 'unclear', lie: { kind: 'none' } };
}

/** One odd window may be an accident; a majority of several windows is not. */
function isMost(count: number, of: number): boolean {
  return count >= 2 && count * 2 > of;
}

/** From the first refusal to the end of the window, as far as it is known. */
function lengthMs({ refused, reopened }: LimitedWindow): number {
  const first = refused[0];
  const last = reopened ?? refused.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(1, last.receivedAt - first.sentAt);
}

function isJudgeable(window: LimitedWindow): boolean {
  const stated = refusalsIn(window);
  const [first] = stated;
  const last = stated.at(-1);
  if (first === undefined || last === undefined || stated.length < 3 || !window.isWaitedOut) return false;
  return last.sentAt - first.sentAt >= leastSpan * lengthMs(window);
}

/** Whether a lie of a fifth would have moved the implied resets further apart than the allowance plus travel time. */
function wouldShowLie(window: LimitedWindow): boolean {
  const stated = refusalsIn(window);
  const spanMs = (stated.at(-1)?.sentAt ?? 0) - (stated[0]?.sentAt ?? 0);
  const blurMs = median(stated.map(({ sentAt, receivedAt }) => receivedAt - sentAt));
  return leastLie * spanMs > allowedMs(window) + blurMs;
}

/** The gap between the intervals of the implied resets; 0 if they overlap. */
function disagreementMs(window: LimitedWindow): number {
  const resets = refusalsIn(window).map(impliedReset);
  const latestStart = Math.max(...resets.map(({ earliest }) => earliest));
  return Math.max(0, latestStart - Math.min(...resets.map(({ latest }) => latest)));
}

function allowedMs(window: LimitedWindow): number {
  return slackMs + slackShare * lengthMs(window) + stepMs(window);
}

/** A target that rounds to whole seconds is coarse, not dishonest. */
function stepMs(window: LimitedWindow): number {
  const refusals = refusalsIn(window);
  return refusals.some(({ retryAfterMs }) => retryAfterMs > 0) ? roundingOf(refusals) : 1;
}

/** Whether a request was refused although it was sent after the wait that an earlier refusal of the window stated. */
function wasRefusedAfterWaiting(window: LimitedWindow): boolean {
  const slack = slackMs + stepMs(window);
  const earliest = Math.min(...refusalsIn(window).map((refusal) => impliedReset(refusal).latest));
  return window.refused.some(({ sentAt }) => sentAt > earliest + slack);
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
  const spreadMs = Math.max(0, ...judgeable.map(disagreementMs));
  const factor = median(factors);
  const values = judgeable.flatMap((window) => refusalsIn(window).map(({ retryAfterMs }) => retryAfterMs));
  if (stated.length > 0 && stated.every(isInSeconds) && Math.max(...values) > 0) return { kind: 'seconds' };
  if (Math.max(...values) - Math.min(...values) <= 0.02 * median(values))
    return { kind: 'constant', retryAfterMs: median(values) };
  if (Math.abs(factor - 1) < 0.05 && median(early) > slackMs) return { kind: 'early', byMs: median(early) };
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
