import { keeps, type Threshold } from '../profile/threshold.ts';
import type { Measurement } from '../measure/measurement.ts';
import { isError, type OutcomeClass } from '../measure/outcome.ts';

/** What is looked at: so many of the last full slices, and not before so many requests ended in them. */
const lastSlices = 5;
const leastEnded = 50;

/** The first of the conditions that is true of the last seconds; they are about shares of all operations together. */
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
  return conditions.find(({ measure, comparator, bound }) => {
    if (measure.kind !== 'share') return false;
    const { of } = measure;
    const wanted = [...classes].filter(([kind]) => isOf(kind, of, rateLimitedIsError));
    return keeps(wanted.reduce((sum, [, count]) => sum + count, 0) / ended, comparator, bound);
  });
}

function isOf(kind: OutcomeClass, of: string, rateLimitedIsError: boolean): boolean {
  switch (of) {
    case 'errors':
      return isError(kind, rateLimitedIsError);
    case 'conflicts':
      return kind === 'conflict';
    case 'timeouts':
      return kind === 'timeout';
    default:
      return kind === of;
  }
}
