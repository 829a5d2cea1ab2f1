import { percentileRank } from '../../core/numbers.ts';
import type { Point } from '../profile/threshold.ts';
import { type Distribution, sharesOfPoints } from '../../reports/load/distribution-record.ts';
import { createHistogram, encodeHistogram, type TimeHistogram } from './histogram.ts';

/** One point of a histogram, in milliseconds; 0 where it is empty. */
export function pointOf(histogram: TimeHistogram, point: Point): number {
  if (point === 'mean') return histogram.totalCount === 0 ? 0 : histogram.mean / 1000;
  // The largest is like every percentile the longest time of its bucket: otherwise p99 can exceed it, and a merged record has another one.
  return atShare(histogram, sharesOfPoints[point]) / 1000;
}

/** hdr-histogram-js rounds the rank to the nearest whole number; a percentage that hits a rank exactly is left as it is. */
function atShare(histogram: TimeHistogram, share: number): number {
  const { totalCount } = histogram;
  if (totalCount === 0) return 0;
  return histogram.getValueAtPercentile((100 * percentileRank(share, totalCount)) / totalCount);
}

/** How many values a point needs to be meaningful: on average, one lies beyond it. */
export function leastCount(point: Point): number {
  if (point === 'mean' || point === 'max') return 1;
  return Math.ceil(1 / (1 - sharesOfPoints[point]) - 1e-9);
}

/** A histogram in the form of a record. */
export function distributionOf(histogram: TimeHistogram): Distribution {
  return { ...pointsOf(histogram), mean: rounded(pointOf(histogram, 'mean')), hdr: encodeHistogram(histogram) };
}

/** The percentiles alone, for a record that is only shown. The mean and the whole distribution take most of the time. */
export function pointsOf(histogram: TimeHistogram): Distribution {
  const at = (point: Point) => rounded(pointOf(histogram, point));
  return {
    count: histogram.totalCount,
    min: histogram.totalCount === 0 ? 0 : histogram.getValueAtPercentile(0) / 1000,
    mean: 0,
    p50: at('p50'),
    p75: at('p75'),
    p90: at('p90'),
    p95: at('p95'),
    p99: at('p99'),
    p999: at('p999'),
    max: at('max'),
    hdr: '',
  };
}

const nothing = distributionOf(createHistogram());

/** The number of values alone, for a record that is not shown. */
export function countOnly({ totalCount }: TimeHistogram): Distribution {
  return { ...nothing, count: totalCount };
}

/** The histogram alone, for a record that is only merged. */
export function histogramOnly(histogram: TimeHistogram): Distribution {
  return { ...countOnly(histogram), hdr: encodeHistogram(histogram) };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
