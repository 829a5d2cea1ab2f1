import type { CurvePoint } from './latency-curve.ts';

/** Fewer points than this have no shape. */
const fewestPoints = 5;

/** Below this distance from the straight line, as a share of the whole rise, a curve is called straight. */
const leastBend = 0.1;

/**
 * Where latency starts to rise faster than the rate: the knee of the curve, after Kneedle (Satopää, Albrecht, Irwin and
 * Raghavan 2011). Both axes are brought to 0…1; the knee is the point furthest below the straight line from the first
 * point to the last, provided that the curve comes back to the line by a step's worth afterwards (their sensitivity of 1).
 * Undefined for a curve without one.
 *
 *   ln p95 1 ┤            ●
 *            │         ⋰ ╱
 *            │      ⋰  ●
 *            │   ⋰ ●  ╱
 *          0 ●──●──●─●         knee: the furthest below the dotted line
 *            0    rate    1
 *
 * Two departures. Latency is taken as its logarithm, because a queue's latency grows without bound: a single overloaded
 * trial would otherwise flatten everything before it, and the knee would lie wherever that trial happened to be. And it is
 * made to rise with the rate first (the nearest rising sequence), which takes the place of smoothing in Kneedle and
 * removes no bend. A hyperbola has no knee of its own: what is found depends on the range that was measured, so it is
 * something to look at, and never judged.
 */
export function knee(curve: readonly CurvePoint[]): CurvePoint | undefined {
  if (curve.length < fewestPoints) return undefined;
  const x = toUnit(curve.map(({ ratePerSecond }) => ratePerSecond));
  const y = toUnit(rising(curve.map(({ p95Ms }) => Math.log(p95Ms))));
  const below = x.map((value, index) => value - (y[index] ?? 0));
  const furthest = Math.max(...below);
  const at = below.indexOf(furthest);
  const comesBack = below.slice(at + 1).some((value) => value < furthest - 1 / (curve.length - 1));
  return furthest >= leastBend && comesBack ? curve[at] : undefined;
}

/** From 0 for the first to 1 for the last; all NaN when both are the same. */
function toUnit(values: readonly number[]): readonly number[] {
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  return values.map((value) => (value - first) / (last - first));
}

/** The nearest sequence that never falls, by least squares: neighbours out of order become their mean (pool adjacent violators). */
function rising(values: readonly number[]): readonly number[] {
  const pools: { mean: number; size: number }[] = [];
  for (const value of values) {
    let pool = { mean: value, size: 1 };
    for (let before = pools.at(-1); before !== undefined && before.mean > pool.mean; before = pools.at(-1)) {
      const size = before.size + pool.size;
      pool = { mean: (before.mean * before.size + pool.mean * pool.size) / size, size };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ mean, size }) => Array<number>(size).fill(mean));
}
