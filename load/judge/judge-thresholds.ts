import { isMet, type Share, type Threshold } from '../profile/threshold.ts';
import type { LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import { isShareOf } from '../measure/outcome.ts';
import { doubt } from './doubt.ts';
import { countOf, type Measured, type MeasuredOperation, selected, throughputOf, timesOf } from './measured.ts';

type Value = { readonly kind: 'value'; readonly value: number } | { readonly kind: 'none'; readonly reason: string };

/** Each threshold with the measured value and a verdict. What the generator may have caused stays unjudged. */
export function judgeThresholds(thresholds: readonly Threshold[], measured: Measured): readonly LoadThresholdRecord[] {
  return thresholds.map((threshold) => ({ ...judgeThreshold(threshold, measured), limit: threshold.bound }));
}

function judgeThreshold(threshold: Threshold, measured: Measured): LoadThresholdRecord {
  const { text, measure } = threshold;
  const found = valueOf(threshold, measured);
  if (found.kind === 'none') return { text, verdict: 'unjudged', reason: found.reason };
  const actual = found.value;
  const isPassed = isMet(threshold, actual);
  const reason = doubt(threshold, { actual, isPassed }, measured, () => serviceOf(threshold, measured));
  if (reason !== undefined) return { text, actual, verdict: 'unjudged', reason };
  const rounded = measure.kind === 'share' ? actual : Math.round(actual * 1000) / 1000;
  return { text, actual: rounded, verdict: isPassed ? 'held' : 'missed' };
}

/** The service time at the point of a latency threshold. */
function serviceOf(threshold: Threshold, measured: Measured): number | undefined {
  if (threshold.measure.kind !== 'latency') return undefined;
  const found = valueOf({ ...threshold, measure: { ...threshold.measure, kind: 'service' } }, measured);
  return found.kind === 'value' ? found.value : undefined;
}

function valueOf(threshold: Threshold, measured: Measured): Value {
  const { measure } = threshold;
  const name = threshold.operation ?? threshold.step;
  const operations = selected(measured, threshold);
  if (measure.kind === 'violations') {
    return measured.checked === 0 ? none('no answer was checked') : value(measured.broken(name));
  }
  if (name !== undefined && operations.length === 0) return none(`no ${name} was sent`);
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

function shareOf(of: Share, operations: readonly MeasuredOperation[], rateLimitedIsError: boolean): Value {
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
