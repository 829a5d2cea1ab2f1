import { sum } from '../../core/numbers.ts';
import type { LanesRecord } from '../record/record.ts';

/** Where times are in a drawing: 0 is its begin, and 1 its end. */
export type LaneScale = {
  readonly at: (timeMs: number) => number;
  /** Idle time that is drawn shorter than it was: where, and how long it was. */
  readonly cuts: readonly { readonly at: number; readonly idleMs: number }[];
};

type Stretch = { readonly fromMs: number; readonly untilMs: number };

/** The largest part of the drawing for one stretch of time in which no request was open. */
const mostIdle = 1 / 8;

/** The scale of the lanes: linear, but long idle time is cut, so that requests fill the drawing. */
export function laneScale({ requests, failsMs }: LanesRecord): LaneScale {
  const busy = merged([
    ...requests.map(({ sentMs, answeredMs }) => ({ fromMs: sentMs, untilMs: Math.max(sentMs + 1, answeredMs) })),
    { fromMs: failsMs, untilMs: failsMs },
  ]);
  const idle = busy.slice(1).map(({ fromMs }, index) => ({ fromMs: busy[index]?.untilMs ?? 0, untilMs: fromMs }));
  const busyMs = sum(busy.map(lengthOf));
  const mostMs = longestIdle(busyMs, idle.map(lengthOf));
  const cuts = idle.filter((stretch) => lengthOf(stretch) > mostMs);
  const startMs = busy[0]?.fromMs ?? 0;
  const shownMs = (timeMs: number): number =>
    timeMs - startMs - sum(cuts.map((cut) => (lengthOf(cut) - mostMs) * partUntil(cut, timeMs)));
  const spanMs = Math.max(1, shownMs(busy.at(-1)?.untilMs ?? 0));
  const at = (timeMs: number): number => shownMs(timeMs) / spanMs;
  return { at, cuts: cuts.map((cut) => ({ at: at((cut.fromMs + cut.untilMs) / 2), idleMs: lengthOf(cut) })) };
}

/** The length from which on idle time is cut: what is cut takes `mostIdle` of the drawing, and everything else less. */
function longestIdle(busyMs: number, lengths: readonly number[]): number {
  const ordered = lengths.toSorted((one, other) => other - one);
  const mostIfCut = (count: number): number =>
    ((busyMs + sum(ordered.slice(count))) * mostIdle) / (1 - count * mostIdle);
  const count = ordered.findIndex((length, index) => length <= mostIfCut(index));
  return mostIfCut(count === -1 ? ordered.length : count);
}

/** The stretches in order, those that meet joined. */
function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = joined.at(-1);
    if (last === undefined || stretch.fromMs > last.untilMs) joined.push(stretch);
    else joined.splice(-1, 1, { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, stretch.untilMs) });
  }
  return joined;
}

/** The part of a stretch that is over at a time. */
function partUntil({ fromMs, untilMs }: Stretch, timeMs: number): number {
  return Math.min(1, Math.max(0, (timeMs - fromMs) / (untilMs - fromMs)));
}

function lengthOf({ fromMs, untilMs }: Stretch): number {
  return untilMs - fromMs;
}
