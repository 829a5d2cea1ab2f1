import type { ChartBin } from './chart-figure.ts';
import { plot, type Tick } from './plot-scale.ts';
import { elapsedTicks } from './elapsed-ticks.ts';
import type { TimePoint } from '../time-series.ts';

/** What the charts over time have in common: where a point lies, and how its stretch of time is called. */
export type OverTime = {
  readonly points: readonly TimePoint[];
  readonly xTicks: readonly Tick[];
  /** From the left, in units of the plot. */
  readonly x: (ms: number) => number;
  readonly middle: (point: TimePoint) => number;
  readonly when: (point: TimePoint) => string;
  readonly bins: (values: (point: TimePoint) => string) => readonly ChartBin[];
};

export function overTime(points: readonly TimePoint[]): OverTime {
  const totalMs = Math.max(1, points.at(-1)?.toMs ?? 1);
  const x = (ms: number) => (ms / totalMs) * plot.width;
  const when = ({ fromMs, toMs }: TimePoint) => `${seconds(fromMs)} to ${seconds(toMs)} s`;
  return {
    points,
    xTicks: elapsedTicks(totalMs),
    x,
    middle: ({ fromMs, toMs }) => x((fromMs + toMs) / 2),
    when,
    bins: (values) =>
      points.map((point) => ({
        from: point.fromMs / totalMs,
        to: point.toMs / totalMs,
        heading: when(point),
        values: values(point),
      })),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 });
}
