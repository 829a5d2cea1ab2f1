import { isMet, type Threshold } from '../profile/threshold.ts';
import type { Measurement } from '../measure/measurement.ts';
import { classOf, isShareOf } from '../measure/outcome.ts';
import { type OutcomeClass, outcomeClasses } from '../../reports/load/load-record.ts';

/** The conditions cover the requests that ended since this many looks, and need this many of them. */
const lastLooks = 5;
const leastEnded = 50;

type Counts = ReadonlyMap<OutcomeClass, number>;

/**
 * Looks at a run, at equal intervals, for the first condition that is true for the requests that ended lately. When they were
 * scheduled does not matter: a target that stops answering shows when its requests time out, long after they were sent.
 */
export function watchConditions(
  conditions: readonly Threshold[],
  { operations }: Pick<Measurement, 'operations'>,
  rateLimitedIsError: boolean,
): () => Threshold | undefined {
  const looks: Counts[] = [new Map()];
  return () => {
    const now = countsOf(operations);
    const before = looks[0] ?? now;
    looks.push(now);
    if (looks.length > lastLooks) looks.shift();
    const lately = outcomeClasses.map((kind) => ({ kind, count: (now.get(kind) ?? 0) - (before.get(kind) ?? 0) }));
    const ended = lately.reduce((sum, { count }) => sum + count, 0);
    if (ended < leastEnded) return undefined;
    return conditions.find((condition) => {
      if (condition.measure.kind !== 'share') return false;
      const { of } = condition.measure;
      const wanted = lately.filter(({ kind }) => isShareOf(kind, of, rateLimitedIsError));
      return isMet(condition, wanted.reduce((sum, { count }) => sum + count, 0) / ended);
    });
  };
}

/** How many requests of all operations ended in each class so far. */
function countsOf(operations: Measurement['operations']): Counts {
  const counts = new Map<OutcomeClass, number>();
  for (const [operation, { outcomes }] of operations) {
    for (const { outcome, count } of outcomes.values()) {
      const kind = classOf(outcome, operation);
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
  }
  return counts;
}
