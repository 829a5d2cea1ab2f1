import { impliedReset, type Refusal } from '../../../core/implied-resets.ts';
import { type LimitedWindow, type LimitSample, statingWait } from './limit-sample.ts';
import { slackMs, stepMs, toleratedMs } from './stated-reset.ts';

/**
 * Whether a target accepts a request long before the reset that it stated, and then refuses for a while until that same reset, as
 * nodes that count apart do:
 *
 *     node 1  refused until t ──────────────── refused until t
 *     node 2                   ──── accepted ────
 *
 * One counter does it too if it states the end of a fixed period. A counter that states when its whole quota is free does not: a
 * sliding window moves that instant by the time between the two acceptances, and a bucket, which is empty at each refusal, by the
 * time between the refusals.
 */
export function alternates(windows: readonly LimitedWindow[]): boolean {
  const quota = Math.max(...windows.map(({ accepted }) => accepted));
  return windows.slice(1).some((next, index) => {
    const window = windows[index];
    if (window?.reopened === undefined) return false;
    const { reopened } = window;
    const later = statingWait(next.refused);
    return statingWait(window.refused).some((before) => {
      const same = later.filter((after) => isBetween(window, quota, [before, reopened, after]));
      const [first] = same;
      const spanMs = (same.at(-1)?.sentAt ?? 0) - (first?.receivedAt ?? 0);
      return first !== undefined && 2 * same.length >= later.length && spanMs > 2 * sameMs(window);
    });
  });
}

type Sequence = readonly [before: Refusal, accepted: LimitSample, after: Refusal];

/** Whether two refusals state the same reset, and the request between them was accepted long before it. */
function isBetween(window: LimitedWindow, quota: number, [before, accepted, after]: Sequence): boolean {
  const [stated, again] = [impliedReset(before), impliedReset(after)];
  const apartMs = Math.max(again.earliest - stated.latest, stated.earliest - again.latest);
  // Within this time, the instant at which the whole quota is free may seem to stay: also that of a bucket that gains a token.
  const stillMs = 2 * sameMs(window) + travelMs(before) + travelMs(after) + (2 * before.retryAfterMs) / quota;
  return (
    apartMs <= sameMs(window) &&
    accepted.sentAt - before.receivedAt > stillMs &&
    accepted.receivedAt < stated.earliest - toleratedMs(window)
  );
}

/** How far resets may be from each other that are the same. */
function sameMs(window: LimitedWindow): number {
  return slackMs + stepMs(window);
}

function travelMs({ sentAt, receivedAt }: Refusal): number {
  return receivedAt - sentAt;
}
