import { scaleLinear } from 'd3-scale';
import type { Tick } from './plot-scale.ts';

const units = [
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** Marks on an axis of time that has passed, in the largest unit of which there are a few. */
export function elapsedTicks(totalMs: number): readonly Tick[] {
  const { name, ms } = units.find((unit) => totalMs >= 2 * unit.ms) ?? units[2];
  const total = Math.max(totalMs, 1) / ms;
  return scaleLinear([0, total], [0, 1])
    .ticks(4)
    .map((value) => ({ at: value / total, label: `${value.toLocaleString('en')} ${name}` }));
}
