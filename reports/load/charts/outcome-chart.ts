import { stack } from 'd3-shape';
import type { Markup } from '../../page/markup.ts';
import { count } from '../../text/figures.ts';
import { type OutcomeClass, outcomeClasses } from '../load-record.ts';
import { outcomeReadings } from '../load-words.ts';
import type { TimePoint } from '../time-series.ts';
import { type OverTime, perSecond, timeChart } from './over-time.ts';
import { plotRect, plotScale } from './plot.ts';

/** The outcomes of the requests, stacked. */
export function outcomeChart(time: OverTime): Markup {
  const { points, x } = time;
  const present = outcomeClasses.filter((kind) => points.some(({ classes }) => classes.has(kind)));
  const rate = (point: TimePoint, kind: OutcomeClass) => perSecond(point.classes.get(kind) ?? 0, point);
  const layers = stack<TimePoint, OutcomeClass>().keys(present).value(rate)(points);
  const { y, ticks } = plotScale(
    layers.flatMap((layer) => layer.map(([, top]) => top)),
    undefined,
  );
  return timeChart(time, {
    id: 'outcomes',
    title: 'Outcomes',
    lead: 'The outcomes of the requests scheduled in each interval, per second.',
    unit: '/s',
    legend: present.map((kind) => ({ series: kind, name: outcomeReadings[kind].word })),
    yTicks: ticks,
    drawing: layers.flatMap((layer) =>
      layer.flatMap(({ 0: from, 1: to, data: { fromMs, toMs } }) =>
        to > from ? [plotRect(layer.key, x(fromMs), x(toMs) - x(fromMs), y(to), y(from))] : [],
      ),
    ),
    columns: present.map((kind) => ({
      name: outcomeReadings[kind].word,
      text: ({ classes }) => {
        const amount = classes.get(kind);
        return amount === undefined ? undefined : count(amount);
      },
    })),
  });
}
