import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import type { CapacityResult } from './next-trial.ts';

/** A requirement that trials exercise. `keptAtPerSecond`: the highest rate at which it was kept, below the rate at which it broke. */
export type KeptAt = {
  readonly requirement: string;
  readonly keptAtPerSecond?: number | undefined;
  /** What makes it more likely that it is judged. */
  readonly remedy: string;
};

type JudgedResult = Pick<CapacityRecord, 'result' | 'unjudged'>;

/**
 * A rate is correct only if each requirement was judged, and kept, at that rate or a higher one. So the highest rate that passed
 * comes down to the highest rate for which that is true. There is no such rate if a requirement was never kept.
 */
export function asJudged(result: CapacityResult, requirements: readonly KeptAt[]): JudgedResult {
  if (result.kind === 'below') return { result };
  const unjudged = requirements.filter(({ keptAtPerSecond = 0 }) => keptAtPerSecond < result.ratePerSecond);
  if (unjudged.length === 0) return { result };
  const ratePerSecond = Math.min(...unjudged.map(({ keptAtPerSecond = 0 }) => keptAtPerSecond));
  const lowered = ratePerSecond === 0 ? { kind: 'unjudged' as const } : atLeast(ratePerSecond);
  return { result: lowered, unjudged: unjudged.map(unjudgedRecord) };
}

function atLeast(ratePerSecond: number) {
  return { kind: 'at-least', ratePerSecond, limit: 'unjudged' } as const;
}

function unjudgedRecord({ requirement, keptAtPerSecond, remedy }: KeptAt) {
  return { requirement, ...(keptAtPerSecond === undefined ? {} : { keptAtPerSecond }), remedy };
}
