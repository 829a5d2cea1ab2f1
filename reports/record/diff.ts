import type { CheckRecord, CheckVerdict, RunRecord } from './record.ts';

/**
 * A check whose verdict changed. `worse`: it is violated now, or no longer exercised. `better`: it passes now, or warns
 * instead of failing. `unclear`: it was violated, and is blocked or errored now.
 */
export type VerdictChange = {
  readonly kind: 'worse' | 'better' | 'unclear';
  readonly before: CheckRecord;
  readonly after: CheckRecord;
};

/** An open point at which two deployments chose differently: the values that only one of them showed. */
export type ObservationChange = {
  readonly point: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
};

/** Two runs side by side. Checks that only one of them ran cannot be compared, and are named. */
export type RecordDiff = {
  readonly changes: readonly VerdictChange[];
  readonly same: number;
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  readonly observations: readonly ObservationChange[];
};

/** Compares two runs, check by check and point by point. */
export function diffRecords(before: RunRecord, after: RunRecord): RecordDiff {
  const later = new Map(after.checks.map((check) => [check.id, check]));
  const earlier = new Set(before.checks.map(({ id }) => id));
  const pairs = before.checks.flatMap((check) => {
    const other = later.get(check.id);
    return other === undefined ? [] : [{ before: check, after: other }];
  });
  const changes = pairs
    .filter((pair) => pair.before.verdict !== pair.after.verdict)
    .map((pair) => ({ ...pair, kind: changeKind(pair.before.verdict, pair.after.verdict) }));
  return {
    changes,
    same: pairs.length - changes.length,
    onlyBefore: [...earlier].filter((id) => !later.has(id)),
    onlyAfter: [...later.keys()].filter((id) => !earlier.has(id)),
    observations: observationChanges(before, after),
  };
}

/** From best to worst. */
const ranks: Readonly<Record<CheckVerdict, number>> = { passed: 0, warned: 1, blocked: 2, errored: 2, failed: 3 };

function changeKind(before: CheckVerdict, after: CheckVerdict): VerdictChange['kind'] {
  if (ranks[after] > ranks[before]) return 'worse';
  return after === 'passed' || (before === 'failed' && after === 'warned') ? 'better' : 'unclear';
}

function observationChanges(before: RunRecord, after: RunRecord): readonly ObservationChange[] {
  const left = valuesByPoint(before);
  const right = valuesByPoint(after);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((point) => {
    const [own, other] = [left.get(point) ?? [], right.get(point) ?? []];
    const change = { point, before: lacking(own, other), after: lacking(other, own) };
    return change.before.length + change.after.length === 0 ? [] : [change];
  });
}

function lacking(values: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => !others.includes(value));
}

function valuesByPoint({ observations }: RunRecord): ReadonlyMap<string, readonly string[]> {
  const byPoint = Map.groupBy(observations, ({ point }) => point);
  return new Map([...byPoint].map(([point, own]) => [point, own.map(({ value }) => value)]));
}
