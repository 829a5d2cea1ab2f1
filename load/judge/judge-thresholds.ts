import { keeps, type Share, type Threshold } from '../profile/threshold.ts';
import type { LoadThresholdRecord } from '../../reports/load/load-record.ts';
import type { Operation } from '../../spec/requirement.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import { mergeHistograms, type TimeHistogram } from '../measure/histogram.ts';
import type { GeneratorJudgement } from './judge-generator.ts';
import type { OperationMeasure } from '../measure/measurement.ts';
import { classOf, isError, isLatency, type OutcomeClass } from '../measure/outcome.ts';

/** What thresholds are judged by. */
export type Measured = {
  readonly operations: ReadonlyMap<Operation, OperationMeasure>;
  readonly measuredMs: number;
  readonly rateLimitedIsError: boolean;
  /** Answers that were held against the schemas. */
  readonly checked: number;
  /** Answers that broke a promise, by operation; undefined for all. */
  readonly broken: (operation: Operation | undefined) => number;
  readonly generator: Pick<GeneratorJudgement, 'verdict' | 'isShortOfSockets' | 'isLatencyValid'>;
  /** How late requests left. */
  readonly lag: TimeHistogram;
  /** Whether the limits of the target file held the load back. */
  readonly isHeldBack: boolean;
};

/** Lag under so many milliseconds excuses no target. */
const leastExcuseMs = 5;

type Value = { readonly kind: 'value'; readonly value: number } | { readonly kind: 'none'; readonly reason: string };

/** Each threshold with what was measured, and whether it held. What the generator may have caused is never held against the target. */
export function judgeThresholds(thresholds: readonly Threshold[], measured: Measured): readonly LoadThresholdRecord[] {
  return thresholds.map((threshold) => judgeThreshold(threshold, measured));
}

function judgeThreshold(threshold: Threshold, measured: Measured): LoadThresholdRecord {
  const { text, measure, comparator, bound } = threshold;
  const found = valueOf(threshold, measured);
  if (found.kind === 'none') return { text, verdict: 'unjudged', reason: found.reason };
  const actual = found.value;
  const verdict = keeps(actual, comparator, bound) ? 'held' : 'missed';
  const reason = doubt(threshold, { actual, verdict }, measured);
  if (reason !== undefined) return { text, actual, verdict: 'unjudged', reason };
  return { text, actual: measure.kind === 'share' ? actual : Math.round(actual * 1000) / 1000, verdict };
}

/** Why a verdict would say more about the generator than about the target. A broken promise is one whoever was slow. */
function doubt(
  threshold: Threshold,
  { actual, verdict }: { readonly actual: number; readonly verdict: 'held' | 'missed' },
  { generator, isHeldBack, ...measured }: Measured,
): string | undefined {
  const { measure, comparator, bound } = threshold;
  if (measure.kind === 'violations') return undefined;
  if (generator.verdict === 'bottleneck') return 'the generator was the bottleneck';
  const isTime = measure.kind === 'latency' || measure.kind === 'service';
  if (isTime && !generator.isLatencyValid) return 'connections ended unannounced, so the latencies are not valid';
  if (verdict === 'held') return undefined;
  if (measure.kind === 'throughput' && isHeldBack) return 'the limits of the target file held the load back';
  if (measure.kind === 'latency') {
    // In a run too short to call the generator the bottleneck, it may all the same be a few late requests that miss.
    const lagMs = pointOf(measured.lag, measure.point);
    if (lagMs > leastExcuseMs && keeps(actual - lagMs, comparator, bound))
      return `requests left ${lagMs.toFixed(1)} ms late (${measure.point}), which alone may have missed it`;
  }
  if (measure.kind === 'latency' && generator.isShortOfSockets) {
    const service = valueOf(
      { ...threshold, measure: { ...measure, kind: 'service' } },
      { generator, isHeldBack, ...measured },
    );
    const isSlowAnyway = service.kind === 'value' && !keeps(service.value, threshold.comparator, threshold.bound);
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
        return none(`${measure.point} of ${times.totalCount} answers means nothing; it takes ${least}`);
      return value(pointOf(times, measure.point));
    }
    case 'share':
      return shareOf(measure.of, operations, measured.rateLimitedIsError);
    case 'throughput':
      return value(count(operations, (kind) => kind === 'ok') / (measured.measuredMs / 1000));
  }
}

function selected({ operations }: Measured, operation: Operation | undefined) {
  return [...operations].filter(([name]) => operation === undefined || name === operation);
}

type Selected = ReturnType<typeof selected>;

/** Latencies or service times of what users waited for: successes and timeouts. */
export function timesOf(
  operations: Iterable<readonly [Operation, OperationMeasure]>,
  kind: 'latency' | 'service',
): TimeHistogram {
  return mergeHistograms(
    [...operations].flatMap(([operation, { outcomes }]) =>
      [...outcomes.values()]
        .filter(({ outcome }) => isLatency(classOf(outcome, operation)))
        .map((measure) => measure[kind]),
    ),
  );
}

function count(operations: Selected, wanted: (kind: OutcomeClass) => boolean): number {
  let sum = 0;
  for (const [operation, { outcomes }] of operations) {
    for (const { outcome, count: own } of outcomes.values()) if (wanted(classOf(outcome, operation))) sum += own;
  }
  return sum;
}

function shareOf(of: Share, operations: Selected, rateLimitedIsError: boolean): Value {
  const ended = count(operations, () => true);
  const withheld = operations.reduce((sum, [, measure]) => sum + measure.withheld, 0);
  const all = of === 'withheld' ? ended + withheld : ended;
  if (all === 0) return none('no request came to an end');
  switch (of) {
    case 'withheld':
      return value(withheld / all);
    case 'errors':
      return value(count(operations, (kind) => isError(kind, rateLimitedIsError)) / all);
    case 'rateLimited':
      return value(count(operations, (kind) => kind === 'rateLimited') / all);
    case 'conflicts':
      return value(count(operations, (kind) => kind === 'conflict') / all);
    case 'timeouts':
      return value(count(operations, (kind) => kind === 'timeout') / all);
    case 'transport':
      return value(count(operations, (kind) => kind === 'transport') / all);
  }
}

function value(of: number): Value {
  return { kind: 'value', value: of };
}

function none(reason: string): Value {
  return { kind: 'none', reason };
}
