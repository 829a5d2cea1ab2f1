import type { OpenLoad } from '../profile/profile.ts';
import { createDraw } from './draw.ts';
import { rateCurve } from './rate-curve.ts';

/** One request of a schedule. */
export type Arrival = {
  /** Its place in the whole schedule, from 0, whatever shard it falls to. */
  readonly index: number;
  /** Since the start of the load, with fractions. */
  readonly atMs: number;
};

/** Part `index` of `of`, from 1: it sends every `of`-th request. */
export type Shard = { readonly index: number; readonly of: number };

export const wholeLoad: Shard = { index: 1, of: 1 };

const gapLabel = 0;

/**
 * When each request of an open load is due, oldest first. Poisson arrivals are a process of rate one, stretched so that
 * it follows the curve; constant ones stand in the middle of their share of the area. The union of all shards is the
 * unsharded schedule.
 */
export function* arrivals(load: OpenLoad, seed: number, shard: Shard = wholeLoad): Generator<Arrival, void> {
  const curve = rateCurve(load.ratePerSecond, load.stages);
  const dues = load.arrivals === 'constant' ? constantDues() : poissonDues(seed);
  let index = 0;
  for (const due of dues) {
    const atMs = curve.timeOf(due);
    if (!Number.isFinite(atMs)) return;
    if (index % shard.of === shard.index - 1) yield { index, atMs };
    index += 1;
  }
}

function* constantDues(): Generator<number, void> {
  for (let index = 0; ; index += 1) yield index + 0.5;
}

function* poissonDues(seed: number): Generator<number, void> {
  const draw = createDraw(seed);
  let due = 0;
  for (let index = 0; ; index += 1) {
    due += -Math.log1p(-draw.at(index, gapLabel));
    yield due;
  }
}
