import { line } from 'd3-shape';
import { type Markup, markup } from '../html/markup.ts';
import { chartFigure } from './chart-figure.ts';
import { dataTable } from './data-table.ts';
import { latencyMs } from './latencies.ts';
import type { OverTime } from './over-time.ts';
import { plotScale } from './plot-scale.ts';
import { timeFigure } from './time-figure.ts';
import type { TimePoint } from './time-series.ts';

const lines = [
  { series: 'max', name: 'max', share: 1 },
  { series: 'p99', name: 'p99', share: 0.99 },
  { series: 'p95', name: 'p95', share: 0.95 },
  { series: 'p50', name: 'p50', share: 0.5 },
] as const;

/** Latency over time, by percentile. */
export function latencyChart({ points, xTicks, middle, when, bins }: OverTime): Markup {
  const all = lines.flatMap(({ share }) => points.map(({ latency }) => latencyMs(latency, share) ?? 0));
  const medians = points.flatMap(({ latency }) => latencyMs(latency, 0.5) ?? []).toSorted((one, other) => one - other);
  const { y, ticks, isLogarithmic } = plotScale(all, medians[Math.floor(medians.length / 2)]);
  const paths = lines.map(({ series, share }) => {
    const path = line<TimePoint>()
      .defined(({ latency }) => latency.count > 0)
      .x(middle)
      .y(({ latency }) => y(latencyMs(latency, share) ?? 0))
      .digits(1);
    return markup`<path class="s-${series}" d="${path(points) ?? ''}"/>`;
  });
  const upwards = lines.toReversed();
  return chartFigure({
    id: 'latency-over-time',
    title: 'Latency over time',
    lead: `Of what was due in each stretch of time: successes, and what was waited for in vain.${isLogarithmic ? ' The axis is logarithmic.' : ''}`,
    unit: 'ms',
    legend: upwards,
    xTicks,
    yTicks: ticks,
    drawing: markup`${paths}`,
    bins: bins((point) => upwards.map(({ name, share }) => `${name} ${timeOf(point, share)}`).join(' · ')),
    table: dataTable(
      ['time', 'answers', ...upwards.map(({ name }) => `${name}, ms`)],
      points.map((point) => [
        when(point),
        point.latency.count.toLocaleString('en'),
        ...upwards.map(({ share }) => timeOf(point, share)),
      ]),
    ),
  });
}

function timeOf({ latency }: TimePoint, share: number): string {
  const ms = latencyMs(latency, share);
  return ms === undefined ? '–' : timeFigure(ms);
}
