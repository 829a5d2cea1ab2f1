import { scaleLog } from 'd3-scale';
import { type Markup, markup } from '../../page/markup.ts';
import type { CapacityRecord } from '../load-record.ts';
import { type ChartBin, chartFigure } from './chart-figure.ts';
import { dataTable } from '../page/data-table.ts';
import { plot, plotScale } from './plot-scale.ts';
import { timeFigure } from '../page/time-figure.ts';

type Trial = CapacityRecord['trials'][number];

const outcomes = {
  held: 'every threshold held',
  broke: 'a threshold was missed',
  generator: 'the generator could not keep the rate',
} as const satisfies Readonly<Record<Trial['outcome'], string>>;

/** The trials of a search, by their rate, and between which rates the capacity lies. */
export function capacityChart({ trials, result }: CapacityRecord): Markup {
  const sorted = trials.toSorted((one, other) => one.ratePerSecond - other.ratePerSecond);
  const rates = sorted.map(({ ratePerSecond }) => ratePerSecond);
  const scale = scaleLog([(rates[0] ?? 1) / 1.2, (rates.at(-1) ?? 1) * 1.2], [0, 1]);
  const p95s = sorted.map(({ p95Ms }) => p95Ms).toSorted((one, other) => one - other);
  const { y, ticks, isLogarithmic } = plotScale(p95s, p95s[Math.floor(p95s.length / 4)]);
  const dots = sorted.map(({ ratePerSecond, p95Ms, outcome }) => {
    const place = `${(scale(ratePerSecond) * plot.width).toFixed(1)},${y(p95Ms).toFixed(1)}`;
    return markup`<path class="dot s-${outcome}" d="M${place}L${place}"/>`;
  });
  const ratesTried = [...new Set(rates)];
  return chartFigure({
    id: 'trials',
    title: 'Latency by rate',
    lead: `The p95 of each trial, by the rate that was asked of it${result.kind === 'found' ? ', and where the capacity lies with a probability of 95%' : ''}.${isLogarithmic ? ' Both axes are logarithmic.' : ' The axis of rates is logarithmic.'}`,
    unit: 'ms',
    legend: [
      ...Object.entries(outcomes)
        .filter(([outcome]) => trials.some((trial) => trial.outcome === outcome))
        .map(([series, name]) => ({ series, name })),
      ...(result.kind === 'found' ? [{ series: 'interval', name: 'the capacity' }] : []),
    ],
    xTicks: scale
      .ticks(6)
      .filter((value) => /^[125]0*$/.test(String(value)))
      .map((value) => ({ at: scale(value), label: `${value.toLocaleString('en')}/s` })),
    yTicks: ticks,
    drawing: markup`${interval(result, scale)}${dots}`,
    bins: ratesTried.map((rate, index) => binOf(rate, ratesTried, index, sorted, scale)),
    table: trialTable(sorted),
  });
}

function interval(result: CapacityRecord['result'], scale: (rate: number) => number): Markup | undefined {
  if (result.kind !== 'found') return undefined;
  const [from, to] = [result.interval.lowPerSecond, result.interval.highPerSecond].map(
    (rate) => Math.min(1, Math.max(0, scale(rate))) * plot.width,
  );
  if (from === undefined || to === undefined) return undefined;
  return markup`<rect class="s-interval" x="${from.toFixed(1)}" width="${Math.max(1, to - from).toFixed(1)}" y="0" height="${plot.height}"/>`;
}

/** The room around a rate, as far as the middle to its neighbours. */
function binOf(
  rate: number,
  rates: readonly number[],
  index: number,
  trials: readonly Trial[],
  scale: (rate: number) => number,
): ChartBin {
  const before = rates[index - 1];
  const after = rates[index + 1];
  const own = trials.filter(({ ratePerSecond }) => ratePerSecond === rate);
  const held = own.filter(({ outcome }) => outcome === 'held').length;
  return {
    from: before === undefined ? 0 : (scale(before) + scale(rate)) / 2,
    to: after === undefined ? 1 : (scale(rate) + scale(after)) / 2,
    heading: `${figure(rate)}/s`,
    values: `${held} of ${own.length} held · p95 ${own.map(({ p95Ms }) => timeFigure(p95Ms)).join(', ')} ms`,
  };
}

function trialTable(trials: readonly Trial[]): Markup {
  return dataTable(
    ['asked, 1/s', 'outcome', 'succeeded, 1/s', 'p50, ms', 'p95, ms', 'p99, ms'],
    trials.map(({ ratePerSecond, outcome, throughputPerSecond, p50Ms, p95Ms, p99Ms }) => [
      figure(ratePerSecond),
      outcomes[outcome],
      figure(throughputPerSecond),
      ...[p50Ms, p95Ms, p99Ms].map((ms) => timeFigure(ms)),
    ]),
  );
}

function figure(rate: number): string {
  return Number(rate.toPrecision(4)).toLocaleString('en');
}
