import { stack } from 'd3-shape';
import { type Markup, markup } from '../../page/markup.ts';
import { chartFigure } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import { outcomeClasses, outcomeClassNames } from '../page/outcome-classes.ts';
import type { OverTime } from './over-time.ts';
import { perSecond } from '../page/per-second.ts';
import { plotScale } from './plot-scale.ts';
import type { TimePoint } from '../time-series.ts';

type OutcomeClass = (typeof outcomeClasses)[number];

/** What became of the requests, one upon the other. */
export function outcomeChart({ points, xTicks, x, when, bins }: OverTime): Markup {
  const present = outcomeClasses.filter((kind) => points.some(({ classes }) => classes.has(kind)));
  const rate = (point: TimePoint, kind: OutcomeClass) => perSecond(point.classes.get(kind) ?? 0, point);
  const layers = stack<TimePoint, OutcomeClass>().keys(present).value(rate)(points);
  const tops = layers.flatMap((layer) => layer.map(([, top]) => top));
  const { y, ticks } = plotScale(tops, undefined);
  const drawing = layers.flatMap((layer) =>
    layer.flatMap(({ 0: from, 1: to, data: { fromMs, toMs } }) =>
      to > from
        ? [
            markup`<rect class="s-${layer.key}" x="${x(fromMs).toFixed(1)}" width="${(x(toMs) - x(fromMs)).toFixed(1)}" y="${y(to).toFixed(1)}" height="${(y(from) - y(to)).toFixed(1)}"/>`,
          ]
        : [],
    ),
  );
  return chartFigure({
    id: 'outcomes',
    title: 'Outcomes',
    lead: 'What became of the requests that were due in each stretch of time, a second.',
    unit: '1/s',
    legend: present.map((kind) => ({ series: kind, name: outcomeClassNames[kind] })),
    xTicks,
    yTicks: ticks,
    drawing: markup`${drawing}`,
    bins: bins(({ classes }) =>
      [...classes].map(([kind, count]) => `${outcomeClassNames[kind]} ${count.toLocaleString('en')}`).join(' · '),
    ),
    table: dataTable(
      ['time', ...present.map((kind) => outcomeClassNames[kind])],
      points.map((point) => [
        when(point),
        ...present.map((kind) => (point.classes.get(kind) ?? 0).toLocaleString('en')),
      ]),
    ),
  });
}
