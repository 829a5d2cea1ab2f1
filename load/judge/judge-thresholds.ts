import { isMet, type Share, type Threshold } from '../profile/threshold.ts';
import type { LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import { isShareOf } from '../measure/outcome.ts';
import { doubt } from './doubt.ts';
import { countOf, type Measured, type MeasuredOperation, selected, throughputOf, timesOf } from './measured.ts';

/** A measured value, or why there is none. */
type Value = number | { readonly why: string };

/** Each threshold with the measured value and a verdict. What the generator may have caused stays unjudged. */
export function judgeThresholds(thresholds: readonly Threshold[], measured: Measured): readonly LoadThresholdRecord[] {
  return thresholds.map((threshold) => ({ ...judgeThreshold(threshold, measured), limit: threshold.bound }));
}

function judgeThreshold(threshold: Threshold, measured: Measured): LoadThresholdRecord {
  const { text, measure } = threshold;
  const found = valueOf(threshold, measured);
  if (typeof found !== 'number') return { text, verdict: 'unjudged', reason: found.why };
  const isPassed = isMet(threshold, found);
  const reason = doubt(threshold, { actual: found, isPassed }, measured, () => serviceOf(threshold, measured));
  if (reason !== undefined) return { text, actual: found, verdict: 'unjudged', reason };
  const actual = measure.kind === 'share' ? found : Math.round(found * 1000) / 1000;
  const isFlattered =
    isPassed && measured.isThroughputOnly && (measure.kind === 'latency' || measure.kind === 'service');
  return { text, actual, verdict: isPassed ? 'held' : 'missed', ...(isFlattered && { reason: flattered }) };
}

/** What the time of a load without a schedule does not show. */
const flattered = 'but a closed load sends less when the target is slow: only an open load shows how long users wait';

/** The service time at the point of a latency threshold. */
function serviceOf(threshold: Threshold, measured: Measured): number | undefined {
  if (threshold.measure.kind !== 'latency') return undefined;
  const found = valueOf({ ...threshold, measure: { ...threshold.measure, kind: 'service' } }, measured);
  return typeof found === 'number' ? found : undefined;
}

function valueOf(threshold: Threshold, measured: Measured): Value {
  const { measure } = threshold;
  const name = threshold.operation ?? threshold.step;
  const operations = selected(measured, threshold);
  if (measure.kind === 'violations') {
    return measured.checked === 0 ? { why: 'no answer was checked' } : measured.broken(name);
  }
  if (name !== undefined && operations.length === 0) return { why: `no ${name} was sent` };
  switch (measure.kind) {
    case 'latency':
    case 'service': {
      const times = timesOf(operations, measure.kind);
      const least = leastCount(measure.point);
      if (times.totalCount < least)
        return { why: `${measure.point} needs ${least} answers, there were ${times.totalCount}` };
      return pointOf(times, measure.point);
    }
    case 'share':
      return shareOf(measure.of, operations, measured.rateLimitedIsError);
    case 'throughput':
      return throughputOf({ operations, measuredMs: measured.measuredMs });
  }
}

function shareOf(of: Share, operations: readonly MeasuredOperation[], rateLimitedIsError: boolean): Value {
  const ended = countOf(operations, () => true);
  const dropped = operations.reduce((sum, [, measure]) => sum + measure.dropped, 0);
  const all = of === 'withheld' ? ended + dropped : ended;
  if (all === 0) return { why: 'no request was answered or given up' };
  const counted = of === 'withheld' ? dropped : countOf(operations, (kind) => isShareOf(kind, of, rateLimitedIsError));
  return counted / all;
}
