import { sum } from '../../../core/numbers.ts';
import type { Estimate, LimitContext, LimitEstimate } from './limit-estimate.ts';
import { fullShare, type LimitedWindow } from './limit-sample.ts';

/**
 * After a first burst of the whole quota, requests are freed gradually: a bucket refills evenly from the start, a sliding
 * window frees nothing before the window is over.
 */
export function trickle(
  windows: readonly LimitedWindow[],
  { firstOpenedAt, startedAt, sentBefore }: LimitContext,
): LimitEstimate {
  const most = windows[0]?.accepted ?? 0;
  const quota = { value: most, low: most, high: most + sentBefore };
  const gaps = gapsOf(windows, firstOpenedAt);
  // A bucket that was full again may have been full for a long time.
  const partly = gaps.filter((gap) => gap.accepted < fullShare * most);
  const { accepted, tookMs, perMs } = paceOf(partly);
  if (accepted === 0 || tookMs <= 0) return { quota, windowMs: undefined, kind: 'unclear' };
  const { receivedAt: usedUpAt, sentAt } = windows[0]?.refused[0] ?? { receivedAt: startedAt, sentAt: startedAt };
  const refusedMs = (windows[0]?.refused.at(-1)?.sentAt ?? 0) - usedUpAt;
  const again = gaps.filter((gap) => gap.accepted >= fullShare * most);
  const fastest = Math.max(0, ...again.map((gap) => (gap.accepted - 1) / gap.tookMs));
  // A bucket that refills at this pace would have accepted a request long before the last refusal, or was full again too soon.
  if (refusedMs * perMs.value > mostSilent || fastest > mostFaster * ((accepted + 1) / tookMs)) {
    const twice = again.filter(({ index }) => (windows[index]?.accepted ?? 0) >= fullShare * most);
    return { quota, windowMs: slidingTrickle(windows, firstOpenedAt, twice), kind: 'sliding window' };
  }
  // One request more or less says nothing of the pace.
  if (perMs.low <= 0) return { quota, windowMs: undefined, kind: 'unclear' };
  // Tokens that were refilled during the burst were accepted with the rest, also by requests under way at the refusal.
  const burstMs = usedUpAt - startedAt;
  const bucket = {
    value: Math.max(1, most - Math.floor(perMs.value * burstMs)),
    low: Math.max(1, Math.ceil(most - perMs.high * (burstMs + usedUpAt - sentAt))),
    high: quota.high,
  };
  const windowMs = {
    value: bucket.value / perMs.value,
    low: bucket.low / perMs.high,
    high: bucket.high / perMs.low,
  };
  return { quota: bucket, windowMs, kind: 'token bucket' };
}

/** What was accepted from when a quota was used up until it was used up again. */
type Gap = {
  /** Which one it is, in the order of time. */
  readonly index: number;
  readonly accepted: number;
  /** Other requests that passed; they may have a quota of their own. */
  readonly beside: number;
  readonly tookMs: number;
  /** How much earlier than at its ends the target may have decided. */
  readonly fromTravelMs: number;
  readonly toTravelMs: number;
};

function gapsOf(windows: readonly LimitedWindow[], firstOpenedAt: number): readonly Gap[] {
  const usedUp = windows.map(({ refused: [first] }) => ({
    at: first?.receivedAt ?? firstOpenedAt,
    travelMs: first === undefined ? 0 : first.receivedAt - first.sentAt,
  }));
  return windows.slice(1).flatMap(({ accepted, isRested }, index) => {
    const [from, to] = [usedUp[index], usedUp[index + 1]];
    if (from === undefined || to === undefined) return [];
    const opening = isRested ? 1 : 0; // the request that was accepted before the rest
    const beside = (windows[index]?.beside ?? 0) + opening;
    const travel = { fromTravelMs: from.travelMs, toTravelMs: to.travelMs };
    return [{ index, accepted, beside, tookMs: to.at - from.at, ...travel }];
  });
}

/** How many tokens a bucket gains in a millisecond. At each end of some gaps in a row, it may have held a part of a token. */
function paceOf(gaps: readonly Gap[]) {
  const accepted = sum(gaps.map((gap) => gap.accepted));
  const tookMs = sum(gaps.map((gap) => gap.tookMs));
  const firsts = gaps.filter(({ index }, place) => gaps[place - 1]?.index !== index - 1);
  const lasts = gaps.filter(({ index }, place) => gaps[place + 1]?.index !== index + 1);
  const most = accepted + sum(gaps.map(({ beside }) => beside)) + lasts.length;
  const perMs = {
    value: accepted / tookMs,
    low: (accepted - firsts.length) / (tookMs + sum(firsts.map(({ fromTravelMs }) => fromTravelMs))),
    high: most / Math.max(1, tookMs - sum(lasts.map(({ toTravelMs }) => toTravelMs))),
  };
  return { accepted, tookMs, perMs };
}

/** The tokens that a bucket may gain between two refusals of a single client, including timers and travel. */
const mostSilent = 6;
/** How much faster than its pace a bucket may seem to be full again, because other requests used up tokens too. */
const mostFaster = 2;

/**
 * A sliding window is no shorter than the time in which it refuses everything, and no longer than until it is full again after it was
 * full. If only a share of the quota was accepted again, the other requests may still count for as much longer.
 */
function slidingTrickle(windows: readonly LimitedWindow[], firstOpenedAt: number, twiceFull: readonly Gap[]): Estimate {
  const [first] = windows;
  const usedUpAt = first?.refused[0]?.receivedAt ?? firstOpenedAt;
  const openedMs = (first?.reopened?.receivedAt ?? usedUpAt) - firstOpenedAt;
  const low = Math.max(...windows.map(({ refused }) => (refused.at(-1)?.sentAt ?? 0) - (refused[0]?.receivedAt ?? 0)));
  const value = Math.max(low, Math.min(openedMs, ...twiceFull.map(({ tookMs }) => tookMs)));
  const longest = twiceFull.map(({ tookMs, fromTravelMs }) => (tookMs + fromTravelMs) / fullShare);
  return { value, low, high: Math.max(low, Math.min(openedMs, ...longest)) };
}
