import { isMet, type Threshold } from '../profile/threshold.ts';
import type { Measurement } from '../measure/measurement.ts';
import { isShareOf } from '../measure/outcome.ts';
import type { OutcomeClass } from '../../reports/load/load-record.ts';

/** The conditions look at this many slices, and need this many requests in them. */
const lastSlices = 5;
const leastEnded = 50;

/** The first condition that is true for the last seconds. Conditions are about shares of all operations together. */
export function abortReason(
  conditions: readonly Threshold[],
  { slices }: Measurement,
  rateLimitedIsError: boolean,
): Threshold | undefined {
  const classes = new Map<OutcomeClass, number>();
  for (const slice of slices.slice(-lastSlices)) {
    for (const [kind, count] of slice.classes) classes.set(kind, (classes.get(kind) ?? 0) + count);
  }
  const ended = [...classes.values()].reduce((sum, count) => sum + count, 0);
  if (ended < leastEnded) return undefined;
  return conditions.find((condition) => {
    if (condition.measure.kind !== 'share') return false;
    const { of } = condition.measure;
    const wanted = [...classes].filter(([kind]) => isShareOf(kind, of, rateLimitedIsError));
    return isMet(condition, wanted.reduce((sum, [, count]) => sum + count, 0) / ended);
  });
}
