import type { CheckRecord, CheckVerdict } from './record.ts';

/** How many checks there are of each verdict. */
export function countVerdicts(checks: readonly Pick<CheckRecord, 'verdict'>[]): Record<CheckVerdict, number> {
  const counts = { passed: 0, failed: 0, warned: 0, blocked: 0, errored: 0 };
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}
