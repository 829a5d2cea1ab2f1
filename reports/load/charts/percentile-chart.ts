import { type Markup, markup } from '../../page/markup.ts';
import { chartFigure, type ChartBin } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import { isTelling, type Latencies, latencyMs, tellingMs } from '../page/latencies.ts';
import { plot, plotScale, type Tick } from './plot-scale.ts';
import { seriesPath } from './series-path.ts';
import { timeFigure } from '../page/time-figure.ts';
import type { TimePoint } from '../time-series.ts';

/** So finely the curve is drawn, and told where it is pointed at. */
const steps = 240;
const binsPerCurve = 60;

/** An operation with fewer has no curve worth drawing. */
const fewestAnswers = 20;

const told = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1] as const;

/** The whole distribution, and its tail as wide as its middle: each further nine has the same room. */
export function percentileChart({ latency, byOperation }: Pick<TimePoint, 'latency' | 'byOperation'>): Markup {
  const curves = curvesOf(latency, byOperation);
  const nines = Math.max(1, Math.log10(Math.max(1, latency.count)));
  const positions = Array.from({ length: steps + 1 }, (_, index) => index / steps);
  const drawn = curves.map(({ series, latencies }) => ({
    series,
    times: positions.map((at) => tellingMs(latencies, shareAt(at, nines))),
  }));
  const { y, ticks, isLogarithmic } = plotScale(
    drawn.flatMap(({ times }) => times.filter((ms) => ms !== undefined)),
    latencyMs(latency, 0.5),
  );
  const paths = drawn.map(({ series, times }) =>
    seriesPath(
      series,
      times.map((ms, index) => ({ x: (index / steps) * plot.width, y: ms === undefined ? undefined : y(ms) })),
    ),
  );
  const known = told.filter((share) => isTelling(latency, share));
  return chartFigure({
    id: 'percentiles',
    title: 'Percentiles',
    lead: `Within which time which share was answered, over the whole run: the further to the right, the rarer.${isLogarithmic ? ' The axis of time is logarithmic.' : ''}`,
    unit: 'ms',
    legend: curves,
    xTicks: percentTicks(nines),
    yTicks: ticks,
    drawing: markup`${paths}`,
    bins: binsOf(curves, nines),
    table: dataTable(
      ['answered', ...curves.map(({ name }) => `${name}, ms`)],
      known.map((share) => [
        share === 1 ? 'all' : percentText(share),
        ...curves.map(({ latencies }) => timeFigure(tellingMs(latencies, share))),
      ]),
    ),
  });
}

type Curve = { readonly series: string; readonly name: string; readonly latencies: Latencies };

function curvesOf(all: Latencies, byOperation: TimePoint['byOperation']): readonly Curve[] {
  const own = [...byOperation]
    .filter(([, latencies]) => latencies.count >= fewestAnswers)
    .map(([operation, latencies]) => ({ series: operation, name: operation, latencies }));
  return byOperation.size === 1 && own.length === 1
    ? own
    : [{ series: 'all', name: 'all operations', latencies: all }, ...own];
}

/** Which share lies there: 0, 90%, 99% and so on are as far from each other. */
function shareAt(at: number, nines: number): number {
  return 1 - 10 ** (-at * nines);
}

function percentTicks(nines: number): readonly Tick[] {
  return [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999]
    .map((share) => ({ at: -Math.log10(1 - share) / nines, label: percentText(share) }))
    .filter(({ at }) => at <= 1 + 1e-9);
}

function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(7))}%`;
}

function binsOf(curves: readonly Curve[], nines: number): readonly ChartBin[] {
  return Array.from({ length: binsPerCurve }, (_, index) => {
    const from = index / binsPerCurve;
    const share = shareAt(from, nines);
    const values = curves.flatMap(({ name, latencies }) => {
      const ms = tellingMs(latencies, share);
      return ms === undefined ? [] : [`${name} ${timeFigure(ms)}`];
    });
    return {
      from,
      to: (index + 1) / binsPerCurve,
      heading: `${(share * 100).toFixed(Math.ceil(from * nines))}% within`,
      values: `${values.join(' · ')} ms`,
    };
  });
}
