import { listed } from '../../reports/text/some-of.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { OperationMeasure } from '../measure/measurement.ts';
import { classOf, type Outcome } from '../measure/outcome.ts';

/** An operation that was asked for, and of which no request succeeded. */
export type Unserved = {
  readonly operation: Operation;
  /** How its requests ended, the most frequent first, such as `429: 497`. */
  readonly endings: readonly string[];
};

/** A load measures nothing of an operation that is never served, however few errors it counts. */
export function unservedOperations(
  measured: ReadonlyMap<Operation, OperationMeasure>,
  among: readonly Operation[] = scheduledIn(measured),
): readonly Unserved[] {
  return among.flatMap((operation) => {
    const measure = measured.get(operation);
    if (measure === undefined) return [{ operation, endings: ['none was sent'] }];
    const outcomes = [...measure.outcomes.values()];
    if (outcomes.some(({ outcome }) => isServed(outcome, operation))) return [];
    const endings = [
      ...outcomes.map(({ outcome, count }) => ({ name: String(outcome), count })),
      { name: 'dropped', count: measure.dropped + measure.capped },
    ].filter(({ count }) => count > 0);
    const sorted = endings.toSorted((one, other) => other.count - one.count);
    return [{ operation, endings: sorted.map(({ name, count }) => `${name}: ${count.toLocaleString('en')}`) }];
  });
}

/** Without those of which only the warm-up had requests. */
function scheduledIn(measured: ReadonlyMap<Operation, OperationMeasure>): readonly Operation[] {
  return [...measured].flatMap(([operation, { sent, dropped, capped, outcomes }]) =>
    sent + dropped + capped + outcomes.size === 0 ? [] : [operation],
  );
}

/** A conflict of a message shows nothing about messages; one of what can be done only once shows that it was done. */
function isServed(outcome: Outcome, operation: Operation): boolean {
  const kind = classOf(outcome, operation);
  return kind === 'ok' || (kind === 'conflict' && operation !== 'sendMessage');
}

/** How many operations, and endings of each, a sentence names. */
const mostNamed = 2;

/** Why there is no verdict, as a part of a sentence. */
export function unservedReason(unserved: readonly Unserved[]): string {
  const named = unserved.map(
    ({ operation, endings }) => `${operation} (${endings.slice(0, mostNamed).join(', ') || 'nothing ended'})`,
  );
  return `no request of ${listed(named, mostNamed)} succeeded`;
}
