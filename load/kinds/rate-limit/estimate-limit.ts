import { median } from '../../compare/statistics/median.ts';
import { impliedReset } from '../../../core/implied-resets.ts';
import { fullShare, type LimitedWindow, refusalsIn } from './limit-sample.ts';

/** A number, and where it may lie. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/** `fixed window` alone is one of either kind: what was seen of its resets fits both. */
export type LimiterKind =
  | 'fixed window, from its first request'
  | 'fixed window, on the clock'
  | 'fixed window'
  | 'sliding window'
  | 'token bucket'
  | 'unclear';

export type LimitEstimate = {
  /** Requests in a window; undefined when no window was seen whole. */
  readonly quota: Estimate | undefined;
  readonly windowMs: Estimate | undefined;
  readonly kind: LimiterKind;
};

/** The first burst may straddle the border of two windows, and so be of almost twice the quota. */
const straddleShare = 0.45;
/** Who is refused for less than this share of the longest wait did not wait for a whole window. */
const soonShare = 0.75;

/** Of a window: when it was entered with a full quota, if anybody knows, and between which instants it was reset. */
type Whole = {
  readonly opened: Interval | undefined;
  readonly resetFrom: number;
  readonly resetTo: number;
};

/** What is known beside the windows themselves. */
export type LimitContext = {
  /** When the first request of all was sent. */
  readonly firstOpenedAt: number;
  /** Requests that were sent before the first burst, and may have used up a part of its quota. */
  readonly sentBefore: number;
  readonly isHonest: boolean;
};

/** Quota, window and kind of a limiter, from windows in the order of time; what honest refusals say is more exact than what is seen. */
export function estimateLimit(windows: readonly LimitedWindow[], context: LimitContext): LimitEstimate {
  const { firstOpenedAt, sentBefore, isHonest } = context;
  const [first, ...later] = windows;
  if (first === undefined) return { quota: undefined, windowMs: undefined, kind: 'unclear' };
  const afterSplit = windows.find((_window, index) => windows[index - 1]?.isSplit);
  const plain = later.filter((window) => window !== afterSplit);
  const counts = plain.map(({ accepted }) => accepted);
  const second = later[0]?.accepted ?? first.accepted; // later ones may have been left alone for a while
  if (second < straddleShare * first.accepted) return trickle(windows, context);
  const most = Math.max(...counts, counts.length === 0 ? first.accepted : 0);
  const full = counts.filter((count) => count >= fullShare * most);
  const quota =
    full.length === 0
      ? undefined
      : { value: Math.round(median(full)), low: Math.min(...full), high: Math.max(...full) };
  const wholes = windows.flatMap((window) => wholeOf(window, isHonest));
  const small = plain.filter(({ accepted }) => accepted < fullShare * most);
  const isSliding = small.length > 0 ? areSoonOver(small, windows) : (afterSplit?.accepted ?? most) < fullShare * most;
  if (isSliding) {
    const windowMs = slidingWindow(windows, firstOpenedAt, isHonest);
    return { quota: slidingQuota(windows, sentBefore), windowMs, kind: 'sliding window' };
  }
  const { windowMs, kind } = fixedWindow(wholes);
  const isSure = small.length === 0 && (afterSplit !== undefined || kind === 'fixed window, on the clock');
  return { quota, windowMs, kind: isSure ? kind : 'unclear' };
}

/** Whether each of these was refused for much less long than a window lasts: something comes free at other times than at resets. */
function areSoonOver(small: readonly LimitedWindow[], all: readonly LimitedWindow[]): boolean {
  const refusedMs = ({ refused, reopened }: LimitedWindow) => {
    const [first] = refused;
    return reopened === undefined ? (first?.retryAfterMs ?? 0) : reopened.receivedAt - (first?.receivedAt ?? 0);
  };
  const longest = Math.max(...all.map(refusedMs));
  return small.every((window) => refusedMs(window) < soonShare * longest);
}

/** No burst gets more than the quota, and the first one gets all of it that was not used up before. */
function slidingQuota(windows: readonly LimitedWindow[], sentBefore: number): Estimate {
  const low = Math.max(...windows.map(({ accepted }) => accepted));
  return { value: low, low, high: Math.max(low, (windows[0]?.accepted ?? 0) + sentBefore) };
}

/** What slides was entered full, and is reset by its own first request, in the window that was split and in the first one. */
function slidingWindow(
  windows: readonly LimitedWindow[],
  firstOpenedAt: number,
  isHonest: boolean,
): Estimate | undefined {
  const split = windows.filter(({ isSplit }) => isSplit).flatMap((window) => wholeOf(window, isHonest));
  const first = windows
    .slice(0, 1)
    .flatMap((window) =>
      wholeOf(window, isHonest).map((whole) => ({ ...whole, opened: { low: firstOpenedAt, high: firstOpenedAt } })),
    );
  return fixedWindow(split.length > 0 ? split : first).windowMs;
}

function wholeOf(window: LimitedWindow, isHonest: boolean): readonly Whole[] {
  const { opened, refused, reopened } = window;
  const last = refused.at(-1);
  const entered = opened === undefined ? undefined : { low: opened.sentAt, high: opened.receivedAt };
  const resets = refusalsIn(window).map(impliedReset);
  if (isHonest && resets.length > 0) {
    const resetFrom = Math.max(...resets.map(({ earliest }) => earliest));
    const resetTo = Math.min(...resets.map(({ latest }) => latest));
    return [{ opened: entered, resetFrom: Math.min(resetFrom, resetTo), resetTo: Math.max(resetFrom, resetTo) }];
  }
  if (reopened === undefined || last === undefined) return [];
  return [{ opened: entered, resetFrom: last.sentAt, resetTo: reopened.receivedAt }];
}

/**
 * A window that begins with its first request lasts equally long from there; one that lies on the clock ends a whole
 * number of windows after the last one did. Whichever of the two is always the same is the law, where the pauses between
 * made them differ.
 */
function fixedWindow(wholes: readonly Whole[]): Pick<LimitEstimate, 'windowMs' | 'kind'> {
  const sinceOpened = wholes.flatMap(({ opened, resetFrom, resetTo }) =>
    opened === undefined ? [] : [{ low: resetFrom - opened.high, high: resetTo - opened.low }],
  );
  const sinceReset = wholes.slice(1).map(({ resetFrom, resetTo }, index) => {
    const before = wholes[index];
    return { low: resetFrom - (before?.resetTo ?? 0), high: resetTo - (before?.resetFrom ?? 0) };
  });
  const fromFirst = common(sinceOpened);
  const onClock = common(sinceReset);
  if (sinceOpened.length < 2) return { windowMs: fromFirst, kind: 'fixed window' };
  if (fromFirst !== undefined && onClock === undefined)
    return { windowMs: fromFirst, kind: 'fixed window, from its first request' };
  if (onClock !== undefined && fromFirst === undefined)
    return { windowMs: onClock, kind: 'fixed window, on the clock' };
  return { windowMs: fromFirst ?? widest(sinceOpened), kind: 'fixed window' };
}

type Interval = { readonly low: number; readonly high: number };

/** Rounding to whole milliseconds, on both sides. */
const slackMs = 3;

/** What all intervals have in common, stretched a little; undefined when there is nothing. */
function common(intervals: readonly Interval[]): Estimate | undefined {
  if (intervals.length === 0) return undefined;
  const low = Math.max(...intervals.map((interval) => interval.low)) - slackMs;
  const high = Math.min(...intervals.map((interval) => interval.high)) + slackMs;
  return low > high ? undefined : { value: (low + high) / 2, low, high };
}

function widest(intervals: readonly Interval[]): Estimate | undefined {
  if (intervals.length === 0) return undefined;
  const low = Math.min(...intervals.map((interval) => interval.low));
  const high = Math.max(...intervals.map((interval) => interval.high));
  return { value: (low + high) / 2, low, high };
}

/**
 * After a first burst of the whole quota, little by little comes free: evenly from the first moment on when a bucket is
 * refilled, and not before the window is over when it slides.
 */
function trickle(
  windows: readonly LimitedWindow[],
  { firstOpenedAt, sentBefore }: Pick<LimitContext, 'firstOpenedAt' | 'sentBefore'>,
): LimitEstimate {
  const most = windows[0]?.accepted ?? 0;
  const quota = { value: most, low: most, high: most + sentBefore };
  const usedUpAt = windows.map(({ refused }) => refused[0]?.receivedAt ?? firstOpenedAt);
  const gaps = windows.slice(1).map(({ accepted }, index) => {
    return { accepted, tookMs: (usedUpAt[index + 1] ?? 0) - (usedUpAt[index] ?? 0) };
  });
  // A bucket that was full again may have been so for long.
  const partly = gaps.filter((gap) => gap.accepted < fullShare * most);
  const counted = partly.length > 0 ? partly : gaps;
  const tookMs = counted.reduce((sum, gap) => sum + gap.tookMs, 0);
  const accepted = counted.reduce((sum, gap) => sum + gap.accepted, 0);
  const silenceMs = (windows[0]?.reopened?.receivedAt ?? 0) - (usedUpAt[0] ?? 0);
  if (accepted === 0 || tookMs <= 0) return { quota, windowMs: undefined, kind: 'unclear' };
  const perMs = accepted / tookMs;
  const refusedMs = (windows[0]?.refused.at(-1)?.sentAt ?? 0) - (usedUpAt[0] ?? 0);
  // A bucket that is refilled at this pace would have given something back long before it was last refused.
  if (refusedMs * perMs > mostSilent) {
    const windowMs = silenceMs + (usedUpAt[0] ?? 0) - firstOpenedAt;
    return { quota, windowMs: { value: windowMs, low: silenceMs, high: windowMs }, kind: 'sliding window' };
  }
  const low = most / ((accepted + 1) / tookMs);
  const high = most / ((accepted - 1 || 1) / tookMs);
  // What was refilled during the burst was accepted with the rest.
  const refilled = Math.ceil(perMs * ((usedUpAt[0] ?? firstOpenedAt) - firstOpenedAt));
  const bucket = { ...quota, low: Math.max(1, most - refilled) };
  return { quota: bucket, windowMs: { value: most / perMs, low, high }, kind: 'token bucket' };
}

/** Tokens that a bucket may gather between the refusals of a single client, timers and travel included. */
const mostSilent = 6;
