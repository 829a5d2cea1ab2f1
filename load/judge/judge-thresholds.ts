import { isMet, type Share, type Threshold } from '../profile/threshold.ts';
import type { LoadThresholdRecord } from '../../reports/load/load-record.ts';
import type { Operation } from '../../spec/requirement.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import { mergeHistograms, type TimeHistogram } from '../measure/histogram.ts';
import type { GeneratorJudgement } from './judge-generator.ts';
import type { OperationMeasure } from '../measure/measurement.ts';
import { classOf, isLatency, isShareOf, type OutcomeClass } from '../measure/outcome.ts';

/** The measurements that thresholds are judged by. */
export type Measured = {
  readonly operations: ReadonlyMap<Operation, OperationMeasure>;
  readonly measuredMs: number;
  readonly rateLimitedIsError: boolean;
  /** Answers of the measured part that were checked against the schemas. */
  readonly checked: number;
  /** Requests of the warm-up, which count nowhere else. */
  readonly warmUp: number;
  /** Answers that broke a requirement, of one operation or of all. */
  readonly broken: (operation: Operation | undefined) => number;
  /** What was wrong with those of all operations: one answer can break several requirements. */
  readonly findings: number;
  readonly generator: Pick<GeneratorJudgement, 'verdict' | 'isShortOfSockets' | 'isLatencyValid'>;
  /** How late requests were sent. */
  readonly lag: TimeHistogram;
  /** Whether the limits of the target file held the load back. */
  readonly isHeldBack: boolean;
};

/** Shorter lag, in milliseconds, never explains a failed threshold. */
const leastExcuseMs = 5;

type Value = { readonly kind: 'value'; readonly value: number } | { readonly kind: 'none'; readonly reason: string };

/** Each threshold with the measured value and a verdict. Failures that the generator may have caused stay unjudged. */
export function judgeThresholds(thresholds: readonly Threshold[], measured: Measured): readonly LoadThresholdRecord[] {
  return thresholds.map((threshold) => judgeThreshold(threshold, measured));
}

function judgeThreshold(threshold: Threshold, measured: Measured): LoadThresholdRecord {
  const { text, measure } = threshold;
  const found = valueOf(threshold, measured);
  if (found.kind === 'none') return { text, verdict: 'unjudged', reason: found.reason };
  const actual = found.value;
  const isPassed = isMet(threshold, actual);
  const reason = doubt(threshold, { actual, isPassed }, measured);
  if (reason !== undefined) return { text, actual, verdict: 'unjudged', reason };
  const rounded = measure.kind === 'share' ? actual : Math.round(actual * 1000) / 1000;
  return { text, actual: rounded, verdict: isPassed ? 'held' : 'missed' };
}

/** Why the verdict may be about the generator, not the target. Violations count however slow the generator was. */
function doubt(
  threshold: Threshold,
  { actual, isPassed }: { readonly actual: number; readonly isPassed: boolean },
  { generator, isHeldBack, ...measured }: Measured,
): string | undefined {
  const { measure } = threshold;
  if (measure.kind === 'violations') return undefined;
  if (generator.verdict === 'bottleneck') return 'the generator was the bottleneck';
  const isTime = measure.kind === 'latency' || measure.kind === 'service';
  if (isTime && !generator.isLatencyValid) return 'connections ended unannounced, so the latencies are not valid';
  if (isPassed && measure.kind === 'share' && measure.of === 'errors') {
    const isServed = countOf(selected(measured, threshold.operation), (kind) => kind === 'ok') > 0;
    return isServed ? undefined : 'no request succeeded';
  }
  if (isPassed) return undefined;
  if (measure.kind === 'throughput' && isHeldBack) return 'the limits of the target file held the load back';
  if (measure.kind === 'latency') {
    // A few late requests can fail a threshold even in a run that is too short to call the generator the bottleneck.
    const lagMs = pointOf(measured.lag, measure.point);
    if (lagMs > leastExcuseMs && isMet(threshold, actual - lagMs))
      return `requests left ${lagMs.toFixed(1)} ms late (${measure.point}), which alone may explain the failure`;
  }
  if (measure.kind === 'latency' && generator.isShortOfSockets) {
    const service = valueOf(
      { ...threshold, measure: { ...measure, kind: 'service' } },
      { generator, isHeldBack, ...measured },
    );
    const isSlowAnyway = service.kind === 'value' && !isMet(threshold, service.value);
    if (!isSlowAnyway) return 'requests waited for a socket of the generator; raise load.open.sockets';
  }
  return undefined;
}

function valueOf({ operation, measure }: Threshold, measured: Measured): Value {
  const operations = selected(measured, operation);
  if (measure.kind === 'violations') {
    return measured.checked === 0 ? none('no answer was checked') : value(measured.broken(operation));
  }
  if (operation !== undefined && operations.length === 0) return none(`no ${operation} was sent`);
  switch (measure.kind) {
    case 'latency':
    case 'service': {
      const times = timesOf(operations, measure.kind);
      const least = leastCount(measure.point);
      if (times.totalCount < least)
        return none(`${measure.point} needs ${least} answers, there were ${times.totalCount}`);
      return value(pointOf(times, measure.point));
    }
    case 'share':
      return shareOf(measure.of, operations, measured.rateLimitedIsError);
    case 'throughput':
      return value(throughputOf({ operations, measuredMs: measured.measuredMs }));
  }
}

function selected({ operations }: Pick<Measured, 'operations'>, operation: Operation | undefined) {
  return [...operations].filter(([name]) => operation === undefined || name === operation);
}

type Operations = Iterable<readonly [Operation, OperationMeasure]>;

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

/** Successful answers a second. */
export function throughputOf({
  operations,
  measuredMs,
}: {
  readonly operations: Operations;
  readonly measuredMs: number;
}): number {
  return countOf(operations, (kind) => kind === 'ok') / Math.max(0.001, measuredMs / 1000);
}

function shareOf(
  of: Share,
  operations: readonly (readonly [Operation, OperationMeasure])[],
  rateLimitedIsError: boolean,
): Value {
  const ended = countOf(operations, () => true);
  const dropped = operations.reduce((sum, [, measure]) => sum + measure.dropped, 0);
  const all = of === 'withheld' ? ended + dropped : ended;
  if (all === 0) return none('no request ended');
  const counted = of === 'withheld' ? dropped : countOf(operations, (kind) => isShareOf(kind, of, rateLimitedIsError));
  return value(counted / all);
}

function value(of: number): Value {
  return { kind: 'value', value: of };
}

function none(reason: string): Value {
  return { kind: 'none', reason };
}
