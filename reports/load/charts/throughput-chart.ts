import { area } from 'd3-shape';
import { type Markup, markup } from '../../page/markup.ts';
import { chartFigure } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import type { OverTime } from './over-time.ts';
import { perSecond } from '../page/per-second.ts';
import { plot, plotScale } from './plot-scale.ts';
import { seriesPath } from './series-path.ts';
import type { TimePoint } from '../time-series.ts';

/** What was asked of the target, and how much of it succeeded. `isScheduled` says that the answers did not set the pace. */
export function throughputChart({ points, xTicks, middle, when, bins }: OverTime, isScheduled: boolean): Markup {
  const offered = isScheduled ? 'offered' : 'sent';
  const lines = [
    { series: 'offered', name: offered, rate: (point: TimePoint) => perSecond(point.due, point) },
    {
      series: 'achieved',
      name: 'succeeded',
      rate: (point: TimePoint) => perSecond(point.classes.get('ok') ?? 0, point),
    },
  ] as const;
  const { y, ticks } = plotScale(
    lines.flatMap(({ rate }) => points.map(rate)),
    undefined,
  );
  const [due, succeeded] = lines;
  const ground = area<TimePoint>()
    .x(middle)
    .y0(plot.height)
    .y1((point) => y(due.rate(point)))
    .digits(1);
  const path = seriesPath(
    succeeded.series,
    points.map((point) => ({ x: middle(point), y: y(succeeded.rate(point)) })),
  );
  const figures = (point: TimePoint) => lines.map(({ rate }) => rate(point).toFixed(1));
  return chartFigure({
    id: 'throughput',
    title: 'Throughput',
    lead: `Requests a second that were ${isScheduled ? 'due' : 'sent'} in each stretch of time, and those of them that succeeded.`,
    unit: '1/s',
    legend: lines,
    xTicks,
    yTicks: ticks,
    drawing: markup`<path class="area s-${due.series}" d="${ground(points) ?? ''}"/>${path}`,
    bins: bins((point) => {
      const values = figures(point);
      return lines.map(({ name }, index) => `${name} ${values[index]}/s`).join(' · ');
    }),
    table: dataTable(
      ['time', ...lines.map(({ name }) => `${name}, 1/s`)],
      points.map((point) => [when(point), ...figures(point)]),
    ),
  });
}
