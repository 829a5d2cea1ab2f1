import type { Distribution } from '../../reports/load/distribution-record.ts';
import { type LoadOperationRecord, type LoadRecord, phaseNames } from '../../reports/load/load-record.ts';
import type { Operation } from '../../spec/requirement.ts';
import { distributionOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';
import type { Measurement, OperationMeasure } from '../measure/measurement.ts';
import type { SlowRequest } from '../measure/slowest.ts';
import { classOf } from '../measure/outcome.ts';
import type { PhaseHistograms } from '../measure/phases.ts';

export type SlowRecords = (request: SlowRequest) => LoadRecord['slowest'][number];
export type DistributionOf = (histogram: TimeHistogram) => Distribution;

export function operationRecords(
  operations: Measurement['operations'],
  brokenBy: ReadonlyMap<string, number>,
  distribution: DistributionOf = distributionOf,
): LoadOperationRecord[] {
  return [...operations].map(([operation, measure]) =>
    measureRecord(operation, measure, brokenBy.get(operation), distribution),
  );
}

/** Without phases that no request had. */
export function phaseRecord(
  phases: PhaseHistograms,
  distribution: DistributionOf = distributionOf,
): LoadRecord['phases'] {
  const seen = phaseNames.filter((name) => phases[name].totalCount > 0);
  return Object.fromEntries(seen.map((name) => [name, distribution(phases[name])]));
}

export function stepRecords(
  steps: Measurement['steps'],
  brokenBy: ReadonlyMap<string, number>,
  distribution: DistributionOf,
  slowRecord: SlowRecords,
): LoadRecord['steps'] {
  return [...steps].map(([name, measure]) => ({
    name,
    ...measureRecord(measure.operation, measure, brokenBy.get(name), distribution),
    slowest: measure.slowest.all().map(slowRecord),
  }));
}

function measureRecord(
  operation: Operation,
  { sent, dropped, capped, arrived, outcomes }: OperationMeasure,
  broken = 0,
  distribution: DistributionOf,
): LoadOperationRecord {
  return {
    operation,
    sent,
    withheld: dropped,
    capped,
    broken,
    arrived,
    outcomes: [...outcomes.values()].map(({ outcome, count: times, latency, service }) => ({
      outcome: String(outcome),
      class: classOf(outcome, operation),
      count: times,
      latency: distribution(latency),
      service: distribution(service),
    })),
  };
}
