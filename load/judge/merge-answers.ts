import { type LoadOperationRecord, type LoadRecord, phaseNames } from '../../reports/load/load-record.ts';
import type { Operation } from '../../spec/requirement.ts';
import { decodeHistogram } from '../measure/histogram.ts';
import { measureOf, type OperationMeasure, operationOf } from '../measure/measurement.ts';
import { createPhaseHistograms, type PhaseHistograms } from '../measure/phases.ts';
import { parseOutcome } from './why-not-merged.ts';

/** The outcomes and times of all parts, by operation. */
export function mergeOperations(records: readonly LoadRecord[]): Map<Operation, OperationMeasure> {
  const merged = new Map<Operation, OperationMeasure>();
  for (const record of records.flatMap(({ operations }) => operations)) {
    const { operation, sent, withheld, capped, outcomes } = record;
    const measure = operationOf(merged, operation);
    measure.sent += sent;
    measure.arrived += arrivedOf(record);
    measure.dropped += withheld;
    measure.capped += capped;
    for (const { outcome: name, count, latency, service } of outcomes) {
      const outcome = parseOutcome(name);
      if (outcome === undefined) continue;
      const into = measureOf(measure.outcomes, outcome);
      into.count += count;
      into.latency.add(decodeHistogram(latency.hdr));
      into.service.add(decodeHistogram(service.hdr));
    }
  }
  return merged;
}

/** Older records only say how many requests succeeded, whenever their answers arrived. */
function arrivedOf({ arrived, outcomes }: LoadOperationRecord): number {
  return arrived ?? outcomes.reduce((sum, one) => sum + (one.class === 'ok' ? one.count : 0), 0);
}

type Tally = Omit<LoadRecord['validation'], 'share'>;

export function mergeTallies(tallies: readonly Tally[]): Tally {
  const sum = (read: (tally: Tally) => number) => tallies.reduce((all, tally) => all + read(tally), 0);
  return {
    answers: sum(({ answers }) => answers),
    checked: sum(({ checked }) => checked),
    repeated: sum(({ repeated }) => repeated),
    skipped: sum(({ skipped }) => skipped),
    broken: sum(({ broken }) => broken),
    findings: sum(({ findings }) => findings),
    warmUp: {
      checked: sum(({ warmUp }) => warmUp.checked),
      broken: sum(({ warmUp }) => warmUp.broken),
    },
  };
}

/** How many answers of each operation violate a requirement. */
export function brokenByOperation(records: readonly LoadRecord[]): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  for (const { operation, broken } of records.flatMap(({ operations }) => operations))
    answers.set(operation, (answers.get(operation) ?? 0) + broken);
  return answers;
}

const maxProofs = 3;

export function mergeViolations(records: readonly LoadRecord[]): LoadRecord['violations'] {
  const groups = Map.groupBy(
    records.flatMap(({ violations }) => violations),
    ({ operation, rule }) => `${operation} ${rule}`,
  );
  return [...groups.values()].flatMap(([head, ...rest]) =>
    head === undefined
      ? []
      : [
          {
            ...head,
            count: rest.reduce((sum, { count }) => sum + count, head.count),
            findings: rest.reduce((sum, { findings }) => sum + findings, head.findings),
            proofs: [head, ...rest].flatMap(({ proofs }) => proofs).slice(0, maxProofs),
          },
        ],
  );
}

export function mergePhases(records: readonly LoadRecord[]): PhaseHistograms {
  const merged = createPhaseHistograms();
  for (const name of phaseNames) {
    for (const { phases } of records) {
      const own = phases[name];
      if (own !== undefined) merged[name].add(decodeHistogram(own.hdr));
    }
  }
  return merged;
}
