import { scaleLinear } from 'd3-scale';
import type { Markup } from '../../page/markup.ts';
import type { TimePoint } from '../time-series.ts';
import { chartFigure, type ChartFigure } from './chart-figure.ts';
import { plot, type Tick } from './plot.ts';

/** The points of a run, and where they lie in a chart, from the left, in units of the plot. */
export type OverTime = {
  readonly points: readonly TimePoint[];
  readonly totalMs: number;
  readonly x: (ms: number) => number;
  readonly middle: (point: TimePoint) => number;
};

export function overTime(points: readonly TimePoint[]): OverTime {
  const totalMs = Math.max(1, points.at(-1)?.toMs ?? 1);
  const x = (ms: number) => (ms / totalMs) * plot.width;
  return { points, totalMs, x, middle: ({ fromMs, toMs }) => x((fromMs + toMs) / 2) };
}

type Column = {
  readonly name: string;
  readonly unit?: string;
  /** Undefined where the point has no such value. */
  readonly text: (point: TimePoint) => string | undefined;
};

type TimeChart = Omit<ChartFigure, 'xTicks' | 'bins' | 'table'> & { readonly columns: readonly Column[] };

/** A chart over the time of a run. The columns are both its table and the values of the interval that is pointed at. */
export function timeChart({ points, totalMs }: OverTime, { columns, ...chart }: TimeChart): Markup {
  const when = ({ fromMs, toMs }: TimePoint) => `${seconds(fromMs)} to ${seconds(toMs)} s`;
  const withUnit = (point: TimePoint) =>
    columns.flatMap(({ name, unit, text }) => {
      const value = text(point);
      return value === undefined ? [] : [[name, value, ...(unit === undefined ? [] : [unit])].join(' ')];
    });
  return chartFigure({
    ...chart,
    xTicks: elapsedTicks(totalMs),
    bins: points.map((point) => ({
      from: point.fromMs / totalMs,
      to: point.toMs / totalMs,
      heading: when(point),
      values: withUnit(point).join(' · '),
    })),
    table: {
      head: ['time', ...columns.map(({ name, unit }) => (unit === undefined ? name : `${name}, ${unit}`))],
      rows: points.map((point) => [when(point), ...columns.map(({ text }) => text(point) ?? '–')]),
    },
  });
}

/** A count of an interval as a rate. */
export function perSecond(amount: number, { fromMs, toMs }: TimePoint): number {
  return amount / Math.max(0.001, (toMs - fromMs) / 1000);
}

function seconds(ms: number): string {
  return (ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 });
}

const units = [
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** Labels of elapsed time, in the largest unit that the run has at least two of. */
function elapsedTicks(totalMs: number): readonly Tick[] {
  const { name, ms } = units.find((unit) => totalMs >= 2 * unit.ms) ?? units[2];
  const total = totalMs / ms;
  return scaleLinear([0, total], [0, 1])
    .ticks(4)
    .map((value) => ({ at: value / total, label: `${value.toLocaleString('en')} ${name}` }));
}
