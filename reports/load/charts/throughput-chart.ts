import { area } from 'd3-shape';
import { type Markup, markup } from '../../page/markup.ts';
import { rateFigure } from '../../text/figures.ts';
import type { TimePoint } from '../time-series.ts';
import { type OverTime, perSecond, timeChart } from './over-time.ts';
import type { Limit } from '../limits.ts';
import { limitPath, nearLimits, plot, plotScale, seriesPath } from './plot.ts';

/** The offered rate and the rate of successes. `isScheduled` is false where the answers set the pace. */
export function throughputChart(time: OverTime, isScheduled: boolean, limits: readonly Limit[]): Markup {
  const { points, middle } = time;
  const offered = {
    series: 'offered',
    name: isScheduled ? 'offered' : 'sent',
    rate: (point: TimePoint) => perSecond(point.due, point),
  };
  const succeeded = {
    series: 'achieved',
    name: 'succeeded',
    rate: (point: TimePoint) => perSecond(point.arrived, point),
  };
  const lines = [offered, succeeded];
  const rates = lines.flatMap(({ rate }) => points.map(rate));
  const drawn = nearLimits(limits, rates);
  const { y, ticks } = plotScale([...rates, ...drawn.map(({ at }) => at)], undefined);
  const ground = area<TimePoint>()
    .x(middle)
    .y0(plot.height)
    .y1((point) => y(offered.rate(point)))
    .digits(1);
  return timeChart(time, {
    id: 'throughput',
    title: 'Throughput',
    lead: `Requests ${isScheduled ? 'scheduled' : 'sent'} in each interval, and successful answers that arrived in it, per second.`,
    unit: '/s',
    legend: [...lines, ...drawn.map(({ text }) => ({ series: `${succeeded.series} limit`, name: text }))],
    yTicks: ticks,
    drawing: [
      markup`<path class="area s-${offered.series}" d="${ground(points) ?? ''}"/>`,
      seriesPath(
        succeeded.series,
        points.map((point) => ({ x: middle(point), y: y(succeeded.rate(point)) })),
      ),
      ...drawn.map(({ at }) => limitPath(succeeded.series, y(at))),
    ],
    columns: lines.map(({ name, rate }) => ({ name, unit: '/s', text: (point) => rateFigure(rate(point)) })),
  });
}
