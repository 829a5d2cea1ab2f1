import { median } from '../../compare/statistics/median.ts';
import { impliedReset } from '../../../core/implied-resets.ts';
import { alternates } from './alternation.ts';
import { trickle } from './estimate-trickle.ts';
import type { Estimate, LimitContext, LimitEstimate } from './limit-estimate.ts';
import { freedEarlyMs, stepMs } from './stated-reset.ts';
import { fullShare, type LimitedWindow, refusalsIn } from './limit-sample.ts';

/** The first burst may straddle two windows and so contain almost twice the quota. */
const straddleShare = 0.45;
/** Refusals for less than this share of the longest wait did not last a whole window. */
const soonShare = 0.75;

/** A complete window: when it was entered with a full quota, if known, and between which instants it was reset. */
type Whole = {
  readonly opened: Interval | undefined;
  readonly resetFrom: number;
  readonly resetTo: number;
};

/** Quota, window and kind of a limiter, from windows in time order. Honest refusals are more exact than observed resets. */
export function estimateLimit(windows: readonly LimitedWindow[], context: LimitContext): LimitEstimate {
  const estimate = ofOneCounter(windows, context);
  return alternates(windows) && !fitsOneWindow(windows, estimate)
    ? { quota: undefined, windowMs: undefined, kind: 'alternating' }
    : estimate;
}

/**
 * Whether requests that were accepted before the stated reset fit one window: a whole quota was accepted each time, or a sliding window
 * first lasted until its stated reset.
 */
function fitsOneWindow(windows: readonly LimitedWindow[], { quota, kind }: LimitEstimate): boolean {
  const [first, ...later] = windows;
  const plain = later.filter(({ isSplit }, index) => !isSplit && windows[index]?.isSplit !== true);
  if (plain.every(({ accepted }) => accepted >= fullShare * (quota?.value ?? Infinity))) return true;
  return kind === 'sliding window' && first?.reopened !== undefined && freedEarlyMs(first) === 0;
}

function ofOneCounter(windows: readonly LimitedWindow[], context: LimitContext): LimitEstimate {
  const { firstOpenedAt, sentBefore, isHonest } = context;
  const [first, ...later] = windows;
  if (first === undefined) return { quota: undefined, windowMs: undefined, kind: 'unclear' };
  const afterSplit = windows.find((_window, index) => windows[index - 1]?.isSplit);
  const plain = later.filter((window) => window !== afterSplit && !window.isSplit);
  const counts = plain.map(({ accepted }) => accepted);
  const soon = plain.filter(({ isRested }) => !isRested).map(({ accepted }) => accepted);
  const rested = later.find(({ isRested }) => isRested)?.accepted ?? 0;
  const least = Math.max(straddleShare * first.accepted, fullShare * Math.min(rested, first.accepted));
  if (Math.min(...soon) < least) return trickle(windows, context);
  const most = Math.max(...counts, counts.length === 0 ? first.accepted : 0);
  const fullCounts = counts.filter((count) => count >= fullShare * most);
  const quota =
    fullCounts.length === 0
      ? undefined
      : { value: Math.round(median(fullCounts)), low: Math.min(...fullCounts), high: Math.max(...fullCounts) };
  // The halves of a split window may lie in two windows.
  const entered = windows.map((window) =>
    window.isSplit && window.accepted > most ? { ...window, opened: undefined } : window,
  );
  const wholes = entered.flatMap((window) => wholeOf(window, isHonest));
  const small = plain.filter(({ accepted }) => accepted < fullShare * most);
  const isSliding = small.length > 0 ? areSoonOver(small, windows) : (afterSplit?.accepted ?? most) < fullShare * most;
  if (isSliding) {
    const windowMs = slidingWindow(windows, firstOpenedAt);
    return { quota: slidingQuota(windows, sentBefore), windowMs, kind: 'sliding window' };
  }
  const { windowMs, kind } = fixedWindow(wholes);
  const isSure = small.length === 0 && (afterSplit !== undefined || kind === 'fixed window, on the clock');
  return { quota, windowMs, kind: isSure ? kind : 'unclear' };
}

/** Whether each of these was refused for much less than a window: then requests are freed at other times than at resets. */
function areSoonOver(small: readonly LimitedWindow[], all: readonly LimitedWindow[]): boolean {
  const refusedMs = ({ refused, reopened }: LimitedWindow) => {
    const [first] = refused;
    return reopened === undefined ? (first?.retryAfterMs ?? 0) : reopened.receivedAt - (first?.receivedAt ?? 0);
  };
  const longest = Math.max(...all.map(refusedMs));
  return small.every((window) => refusedMs(window) < soonShare * longest);
}

/** No burst gets more than the quota. The first one gets everything that was not used before. */
function slidingQuota(windows: readonly LimitedWindow[], sentBefore: number): Estimate {
  const low = Math.max(...windows.filter(({ isSplit }) => !isSplit).map(({ accepted }) => accepted));
  return { value: low, low, high: Math.max(low, (windows[0]?.accepted ?? 0) + sentBefore) };
}

/**
 * A sliding window is entered full and reset by its own first request: in the split window and in the first one. What its refusals
 * state does not matter: it may be when the whole quota is free.
 */
function slidingWindow(windows: readonly LimitedWindow[], firstOpenedAt: number): Estimate | undefined {
  const most = Math.max(...windows.filter(({ isSplit }) => !isSplit).map(({ accepted }) => accepted));
  const split = windows
    .filter(({ isSplit, accepted }) => isSplit && accepted <= most / fullShare) // or its halves were too far apart
    .flatMap((window) => wholeOf(window, false));
  const first = windows
    .slice(0, 1)
    .flatMap((window) =>
      wholeOf(window, false).map((whole) => ({ ...whole, opened: { low: firstOpenedAt, high: firstOpenedAt } })),
    );
  const sinceOpened = fromOpened(split.length > 0 ? split : first);
  return common(sinceOpened) ?? widest(sinceOpened);
}

function wholeOf(window: LimitedWindow, isHonest: boolean): readonly Whole[] {
  const { opened, refused, reopened } = window;
  const last = refused.at(-1);
  const entered = opened === undefined ? undefined : { low: opened.sentAt, high: opened.receivedAt };
  const resets = refusalsIn(window).map(impliedReset);
  if (isHonest && resets.length > 0) {
    // What is rounded up states a reset of up to one step later.
    const resetFrom = Math.max(...resets.map(({ earliest }) => earliest)) - (stepMs(window) > 1 ? stepMs(window) : 0);
    const resetTo = Math.min(...resets.map(({ latest }) => latest), reopened?.receivedAt ?? Number.POSITIVE_INFINITY);
    return [{ opened: entered, resetFrom: Math.min(resetFrom, resetTo), resetTo: Math.max(resetFrom, resetTo) }];
  }
  if (reopened === undefined || last === undefined) return [];
  return [{ opened: entered, resetFrom: last.sentAt, resetTo: reopened.receivedAt }];
}

/**
 * A window that begins with its first request always lasts equally long from that request. A window on the clock ends a
 * whole number of windows after the previous one. The kind whose interval stays the same is the answer, if the pauses
 * in between made the two differ.
 */
function fixedWindow(wholes: readonly Whole[]): Pick<LimitEstimate, 'windowMs' | 'kind'> {
  const sinceOpened = fromOpened(wholes);
  const sinceReset = wholes.slice(1).map(({ resetFrom, resetTo }, index) => {
    const before = wholes[index];
    return { low: resetFrom - (before?.resetTo ?? 0), high: resetTo - (before?.resetFrom ?? 0) };
  });
  const fromFirst = common(sinceOpened);
  const onClock = common(sinceReset);
  if (sinceOpened.length < 2) return { windowMs: ofEitherKind(sinceOpened, sinceReset), kind: 'fixed window' };
  if (fromFirst !== undefined && onClock === undefined)
    return { windowMs: fromFirst, kind: 'fixed window, from its first request' };
  if (onClock !== undefined && fromFirst === undefined)
    return { windowMs: onClock, kind: 'fixed window, on the clock' };
  return { windowMs: ofEitherKind(sinceOpened, sinceReset), kind: 'fixed window' };
}

/** From when a window was entered to its reset. */
function fromOpened(wholes: readonly Whole[]): readonly Interval[] {
  return wholes.flatMap(({ opened, resetFrom, resetTo }) =>
    opened === undefined ? [] : [{ low: resetFrom - opened.high, high: resetTo - opened.low }],
  );
}

/**
 * A window that is entered at any time lasts at least until its reset. One that begins with its first request lasts no longer, and
 * one on the clock no longer than from one reset to the next.
 */
function ofEitherKind(sinceOpened: readonly Interval[], sinceReset: readonly Interval[]): Estimate | undefined {
  if (sinceOpened.length === 0) return undefined;
  const soonest = (intervals: readonly Interval[]) => Math.min(...intervals.map(({ high }) => high));
  const low = Math.max(0, Math.max(...sinceOpened.map((interval) => interval.low)) - roundingMs);
  const high = Math.max(soonest(sinceOpened), sinceReset.length === 0 ? 0 : soonest(sinceReset)) + roundingMs;
  return low > high ? widest(sinceOpened) : { value: (low + high) / 2, low, high };
}

type Interval = { readonly low: number; readonly high: number };

/** Rounding to whole milliseconds, on both sides. */
const roundingMs = 3;

/** The intersection of all intervals, widened a little; undefined if it is empty. */
function common(intervals: readonly Interval[]): Estimate | undefined {
  if (intervals.length === 0) return undefined;
  const low = Math.max(...intervals.map((interval) => interval.low)) - roundingMs;
  const high = Math.min(...intervals.map((interval) => interval.high)) + roundingMs;
  return low > high ? undefined : { value: (low + high) / 2, low, high };
}

function widest(intervals: readonly Interval[]): Estimate | undefined {
  if (intervals.length === 0) return undefined;
  const low = Math.min(...intervals.map((interval) => interval.low));
  const high = Math.max(...intervals.map((interval) => interval.high));
  return { value: (low + high) / 2, low, high };
}
