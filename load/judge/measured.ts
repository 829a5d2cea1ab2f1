import type { Operation } from '../../spec/requirement.ts';
import { mergeHistograms, type TimeHistogram } from '../measure/histogram.ts';
import type { Threshold } from '../profile/threshold.ts';
import type { OperationMeasure, StepMeasure } from '../measure/measurement.ts';
import { classOf, isLatency } from '../measure/outcome.ts';
import type { OutcomeClass } from '../../reports/load/load-record.ts';
import type { GeneratorJudgement } from './judge-generator.ts';

/** The measurements that thresholds are judged by. */
export type Measured = {
  readonly operations: ReadonlyMap<Operation, OperationMeasure>;
  /** Of a flow: its steps and the whole of it, by name. */
  readonly steps: ReadonlyMap<string, StepMeasure>;
  readonly measuredMs: number;
  readonly rateLimitedIsError: boolean;
  /** Whether the answers set the pace of a load that asks for throughput alone. */
  readonly isThroughputOnly: boolean;
  /** Answers of the measured part that were checked against the schemas. */
  readonly checked: number;
  /** Requests of the warm-up, also the late ones of its users. */
  readonly warmUp: number;
  /** Answers that broke a requirement, of one operation or step, or of all. */
  readonly broken: (name: string | undefined) => number;
  /** What was wrong with those of all operations: one answer can break several requirements. */
  readonly findings: number;
  readonly generator: Pick<
    GeneratorJudgement,
    'verdict' | 'isShortOfSockets' | 'isLatencyValid' | 'isWholeLoad' | 'loopDelayMs'
  >;
  /** How late requests were sent. */
  readonly lag: TimeHistogram;
  /** Whether the limits of the target file held the load back. */
  readonly isHeldBack: boolean;
};

/** What a threshold is about: the requests of an operation or of all, or what users did in a step. */
export function selected(
  { operations, steps }: Pick<Measured, 'operations' | 'steps'>,
  { operation, step }: Pick<Threshold, 'operation' | 'step'>,
): readonly MeasuredOperation[] {
  if (step === undefined) return [...operations].filter(([name]) => operation === undefined || name === operation);
  const measure = steps.get(step);
  return measure === undefined ? [] : [[measure.operation, measure]];
}

export type MeasuredOperation = readonly [Operation, OperationMeasure];
type Operations = Iterable<MeasuredOperation>;

/** Latencies or service times of what users waited for: successes and timeouts. */
export function timesOf(operations: Operations, kind: 'latency' | 'service'): TimeHistogram {
  return mergeHistograms(
    [...operations].flatMap(([operation, { outcomes }]) =>
      [...outcomes.values()]
        .filter(({ outcome }) => isLatency(classOf(outcome, operation)))
        .map((measure) => measure[kind]),
    ),
  );
}

/** How many requests ended in a wanted class. */
export function countOf(operations: Operations, wanted: (kind: OutcomeClass) => boolean): number {
  let sum = 0;
  for (const [operation, { outcomes }] of operations) {
    for (const { outcome, count } of outcomes.values()) if (wanted(classOf(outcome, operation))) sum += count;
  }
  return sum;
}

/** Successful answers that arrived within the measured time, a second. */
export function throughputOf({
  operations,
  measuredMs,
}: Pick<Measured, 'measuredMs'> & { readonly operations: Operations }): number {
  let arrived = 0;
  for (const [, measure] of operations) arrived += measure.arrived;
  return arrived / Math.max(0.001, measuredMs / 1000);
}
