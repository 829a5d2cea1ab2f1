import { createDraw } from './draw.ts';
import { rateCurve, type Stage } from './rate-curve.ts';

/** A rate over time, from which the instants of all requests follow. */
export type Schedule = {
  /** How arrivals are spaced: drawn at random around the rate, or evenly. */
  readonly arrivals: 'poisson' | 'constant';
  /** The rate at which the first stage begins. */
  readonly ratePerSecond: number;
  /** At least one. */
  readonly stages: readonly Stage[];
};

/** A schedule with the means to keep it. */
export type OpenSchedule = Schedule & {
  /** `precise` takes a whole core and sends within microseconds of the scheduled instant. */
  readonly pacing: 'timer' | 'precise';
  /** The most connections that are open at once. */
  readonly sockets: number;
};

export const defaultSockets = 512;

/** One request of a schedule. */
export type Arrival = {
  /** Its place in the whole schedule, from 0, whichever shard sends it. */
  readonly index: number;
  /** Since the start of the load, with fractions. */
  readonly atMs: number;
};

/** Part `index` of `of`, from 1: it sends every `of`-th request. */
export type Shard = { readonly index: number; readonly of: number };

/** The most threads that a load is spread over on one machine. */
export const mostWorkers = 64;

export const wholeLoad: Shard = { index: 1, of: 1 };

const gapLabel = 0;

/**
 * The instant of each request, oldest first. Poisson arrivals are a process of rate one, stretched to follow the curve;
 * each constant one is in the middle of its share of the area. The union of all shards is the unsharded schedule.
 */
export function* arrivals(load: Schedule, seed: number, shard: Shard = wholeLoad): Generator<Arrival, void> {
  const curve = rateCurve(load.ratePerSecond, load.stages);
  const areaAt = load.arrivals === 'constant' ? (index: number) => index + 0.5 : poissonAreas(seed);
  for (let index = 0; ; index += 1) {
    const atMs = curve.timeOf(areaAt(index));
    if (!Number.isFinite(atMs)) return;
    if (index % shard.of === shard.index - 1) yield { index, atMs };
  }
}

/** The area under the rate curve at each request. Call it for one index after another. */
function poissonAreas(seed: number): (index: number) => number {
  const draw = createDraw(seed);
  let area = 0;
  return (index) => {
    area -= Math.log1p(-draw.at(index, gapLabel));
    return area;
  };
}
