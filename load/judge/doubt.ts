import { isMet, type Point, type Threshold } from '../profile/threshold.ts';
import { pointOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';
import { countOf, type Measured, selected } from './measured.ts';

export type Found = { readonly actual: number; readonly isPassed: boolean };

/**
 * Why a verdict may be about the generator, not the target; undefined where the generator cannot explain it. Violations
 * count however slow the generator was, and so do shares of outcomes: whether a request succeeds does not depend on when it
 * was sent.
 */
export function doubt(
  threshold: Threshold,
  found: Found,
  measured: Measured,
  serviceMs: () => number | undefined,
): string | undefined {
  const { measure } = threshold;
  const { generator } = measured;
  if (measure.kind === 'violations') return undefined;
  if (found.isPassed && !generator.isWholeLoad) return 'the target got less load than the profile asks for';
  switch (measure.kind) {
    case 'share':
      return found.isPassed && measure.of === 'errors' ? doubtOfErrors(threshold, measured) : undefined;
    case 'throughput':
      return doubtOfThroughput(threshold, found, measured);
    case 'latency':
    case 'service':
      return doubtOfTime(threshold, measure, found, measured, serviceMs);
  }
}

function doubtOfErrors(threshold: Threshold, measured: Measured): string | undefined {
  return countOf(selected(measured, threshold), (kind) => kind === 'ok') > 0 ? undefined : 'no request succeeded';
}

/** A generator or a limit that holds the load back only lowers the throughput, and so do parts that ran one after the other. */
function doubtOfThroughput(
  { comparator }: Threshold,
  { isPassed }: Found,
  { generator, isHeldBack }: Measured,
): string | undefined {
  const isLeast = comparator === '>' || comparator === '>=';
  if (isPassed === isLeast) return undefined;
  if (isHeldBack) return 'the limits of the target file held the load back';
  if (generator.verdict === 'apart') return 'the parts did not start together';
  return generator.verdict === 'bottleneck' ? 'the generator was the bottleneck' : undefined;
}

function doubtOfTime(
  threshold: Threshold,
  measure: TimeMeasure,
  { actual, isPassed }: Found,
  measured: Measured,
  serviceMs: () => number | undefined,
): string | undefined {
  const { generator } = measured;
  if (!generator.isLatencyValid) return 'connections closed without notice, so the latencies are not valid';
  // A generator that is late makes times longer, never shorter.
  const ownMs = generatorMs(measure, measured);
  if (isMet(threshold, Math.max(0, actual - ownMs)) !== isPassed)
    return `the generator was up to ${ownMs.toFixed(1)} ms late (${measure.point}), which may explain it`;
  if (isPassed || measure.kind === 'service' || !generator.isShortOfSockets) return undefined;
  const service = serviceMs();
  return service === undefined || isMet(threshold, service)
    ? 'requests waited for a socket of the generator; raise load.open.sockets'
    : undefined;
}

/** Shorter lag, in milliseconds, never explains a verdict. */
const leastLagMs = 5;

/**
 * How much of a time may be the generator's own, in milliseconds: the lag is a part of the latency; requests that left late
 * left together, and may have waited for each other for as long again; and a busy event loop reads answers late.
 */
function generatorMs(measure: TimeMeasure, { lag, generator }: Measured): number {
  return ownLagMs(measure, lag) + generator.loopDelayMs;
}

type TimeMeasure = { readonly kind: 'latency' | 'service'; readonly point: Point };

/** The part of that which is due to the lag. */
export function ownLagMs({ kind, point }: TimeMeasure, lag: TimeHistogram): number {
  const lagMs = pointOf(lag, point);
  const times = kind === 'latency' ? 2 : 1;
  return lagMs > leastLagMs ? times * lagMs : 0;
}
