import { type Markup, markup } from '../../page/markup.ts';
import type { Distribution } from '../load-record.ts';
import { chartFigure } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import type { OverTime } from './over-time.ts';
import { plot, plotScale } from './plot-scale.ts';
import { timeFigure } from '../page/time-figure.ts';

/** How late the generator itself sent. */
export function lagChart({ points, xTicks, x, when, bins }: OverTime, { p50, p99, max }: Distribution): Markup {
  const lags = points.map(({ lagMaxMs }) => lagMaxMs).toSorted((one, other) => one - other);
  const { y, ticks, isLogarithmic } = plotScale(lags, lags[Math.floor(lags.length / 2)]);
  const bars = points.map(({ fromMs, toMs, lagMaxMs }) => {
    const width = Math.max(1, (x(toMs) - x(fromMs)) * 0.8);
    const top = Math.min(plot.height, y(lagMaxMs));
    return markup`<rect class="s-lag" x="${x(fromMs).toFixed(1)}" width="${width.toFixed(1)}" y="${top.toFixed(1)}" height="${(plot.height - top).toFixed(1)}"/>`;
  });
  return chartFigure({
    id: 'lag',
    title: 'Schedule lag',
    lead: `How late the latest request of each stretch of time left the generator; of all of them p50 ${timeFigure(p50)}, p99 ${timeFigure(p99)}, max ${timeFigure(max)} ms.${isLogarithmic ? ' The axis is logarithmic.' : ''}`,
    unit: 'ms',
    legend: [{ series: 'lag', name: 'longest lag' }],
    xTicks,
    yTicks: ticks,
    drawing: markup`${bars}`,
    bins: bins(({ lagMaxMs }) => `longest lag ${timeFigure(lagMaxMs)} ms`),
    table: dataTable(
      ['time', 'longest lag, ms'],
      points.map((point) => [when(point), timeFigure(point.lagMaxMs)]),
    ),
  });
}
