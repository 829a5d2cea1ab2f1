import type { CheckRecord } from './record.ts';
import { type Standing, standingOf } from './standing.ts';

/** How many checks stand how. */
export function countStandings(checks: readonly Pick<CheckRecord, 'verdict' | 'waived'>[]): Record<Standing, number> {
  const counts = { passed: 0, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 0 };
  for (const check of checks) counts[standingOf(check)] += 1;
  return counts;
}
