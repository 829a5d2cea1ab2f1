import { type Markup, markup } from '../../page/markup.ts';
import { chartFigure } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import { isTelling, latencyMs, tellingMs } from '../page/latencies.ts';
import type { OverTime } from './over-time.ts';
import { plotScale } from './plot-scale.ts';
import { seriesPath } from './series-path.ts';
import { timeFigure } from '../page/time-figure.ts';

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
  const present = lines.filter(({ share }) => points.some(({ latency }) => isTelling(latency, share)));
  const paths = present.map(({ series, share }) =>
    seriesPath(
      series,
      points.map((point) => {
        const ms = tellingMs(point.latency, share);
        return { x: middle(point), y: ms === undefined ? undefined : y(ms) };
      }),
    ),
  );
  const upwards = present.toReversed();
  return chartFigure({
    id: 'latency-over-time',
    title: 'Latency over time',
    lead: `Of what was due in each stretch of time: successes, and what was waited for in vain. A percentile stands only where there are answers enough for it.${isLogarithmic ? ' The axis is logarithmic.' : ''}`,
    unit: 'ms',
    legend: upwards,
    xTicks,
    yTicks: ticks,
    drawing: markup`${paths}`,
    bins: bins((point) =>
      upwards.map(({ name, share }) => `${name} ${timeFigure(tellingMs(point.latency, share))}`).join(' · '),
    ),
    table: dataTable(
      ['time', 'answers', ...upwards.map(({ name }) => `${name}, ms`)],
      points.map((point) => [
        when(point),
        point.latency.count.toLocaleString('en'),
        ...upwards.map(({ share }) => timeFigure(tellingMs(point.latency, share))),
      ]),
    ),
  });
}
