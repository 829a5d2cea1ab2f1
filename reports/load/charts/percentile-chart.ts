import type { Markup } from '../../page/markup.ts';
import { latencyFigure } from '../../text/figures.ts';
import { isMeaningful, type Latencies, latencyMs, meaningfulMs } from '../latencies.ts';
import type { TimePoint } from '../time-series.ts';
import { type ChartBin, chartFigure } from './chart-figure.ts';
import type { LatencyLimit } from '../limits.ts';
import { limitPath, nearLimits, plot, plotScale, seriesPath, type Tick } from './plot.ts';

const pointsPerCurve = 240;
const binsPerCurve = 60;
/** An operation with fewer answers gets no curve. */
const fewestAnswers = 20;
const tableShares = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1] as const;

/** The whole distribution. The axis gives each further nine (90%, 99%, 99.9%) the same width, so the tail can be read. */
export function percentileChart(
  { latency, byOperation }: Pick<TimePoint, 'latency' | 'byOperation'>,
  limits: readonly LatencyLimit[],
): Markup {
  const curves = curvesOf(latency, byOperation);
  const nines = Math.max(1, Math.log10(Math.max(1, latency.count)));
  const positions = Array.from({ length: pointsPerCurve + 1 }, (_, index) => index / pointsPerCurve);
  const drawn = curves.map(({ series, latencies }) => ({
    series,
    times: positions.map((at) => meaningfulMs(latencies, shareAt(at, nines))),
  }));
  const values = drawn.flatMap(({ times }) => times.filter((ms) => ms !== undefined));
  const marks = marksOf(nearLimits(limits, values), curves, nines);
  const { y, ticks, note } = plotScale([...values, ...marks.map(({ limit }) => limit.at)], latencyMs(latency, 0.5));
  return chartFigure({
    id: 'percentiles',
    title: 'Percentiles',
    lead: `The latency within which each share of requests was answered, over the whole run.${marks.length === 0 ? '' : ' A curve must pass below the marks of its thresholds.'}${note}`,
    unit: 'ms',
    legend: [...curves, ...marks.map(({ series, limit }) => ({ series: `${series} limit`, name: limit.text }))],
    xTicks: percentTicks(nines),
    yTicks: ticks,
    drawing: [
      ...drawn.map(({ series, times }) =>
        seriesPath(
          series,
          times.map((ms, index) => ({
            x: (index / pointsPerCurve) * plot.width,
            y: ms === undefined ? undefined : y(ms),
          })),
        ),
      ),
      ...marks.map(({ series, x, limit }) => limitPath(series, y(limit.at), x - markWidth / 2, x + markWidth / 2)),
    ],
    bins: binsOf(curves, nines),
    table: {
      head: ['answered', ...curves.map(({ name }) => `${name}, ms`)],
      rows: tableShares
        .filter((share) => isMeaningful(latency, share))
        .map((share) => [
          share === 1 ? 'all' : percentText(share),
          ...curves.map(({ latencies }) => latencyFigure(meaningfulMs(latencies, share))),
        ]),
    },
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

/** In units of the plot. */
const markWidth = 50;

/** A limit where the curve that it is about has to pass below it. */
type LimitMark = { readonly series: string; readonly x: number; readonly limit: LatencyLimit };

function marksOf(limits: readonly LatencyLimit[], curves: readonly Curve[], nines: number): readonly LimitMark[] {
  const [overall] = curves;
  return limits.flatMap((limit) => {
    const curve = limit.operation === undefined ? overall : curves.find(({ series }) => series === limit.operation);
    const at = placeOf(limit.share, nines);
    return curve === undefined || at > 1 ? [] : [{ series: curve.series, x: at * plot.width, limit }];
  });
}

/** The share at a place of the axis: 0, 90%, 99% and so on are equally far apart. */
function shareAt(at: number, nines: number): number {
  return 1 - 10 ** (-at * nines);
}

function placeOf(share: number, nines: number): number {
  return -Math.log10(1 - share) / nines;
}

function percentTicks(nines: number): readonly Tick[] {
  return [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999]
    .map((share) => ({ at: placeOf(share, nines), label: percentText(share) }))
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
      const ms = meaningfulMs(latencies, share);
      return ms === undefined ? [] : [`${name} ${latencyFigure(ms)} ms`];
    });
    const heading = `${(share * 100).toFixed(Math.ceil(from * nines))}% of requests within`;
    return { from, to: (index + 1) / binsPerCurve, heading, values: values.join(' · ') };
  });
}
