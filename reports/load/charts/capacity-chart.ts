import { scaleLog } from 'd3-scale';
import { type Markup, markup } from '../../page/markup.ts';
import { latencyFigure, rateFigure } from '../../text/figures.ts';
import type { CapacityRecord } from '../capacity-record.ts';
import { type ChartBin, chartFigure } from './chart-figure.ts';
import type { LatencyLimit } from '../limits.ts';
import { limitPath, nearLimits, plot, plotRect, plotScale } from './plot.ts';

type Trial = CapacityRecord['trials'][number];

const outcomes = {
  held: 'every threshold passed',
  broke: 'a threshold failed',
  generator: 'the generator could not keep the rate',
  violated: 'a requirement broke',
} as const satisfies Readonly<Record<Trial['outcome'] | 'violated', string>>;

function outcomeOf({ outcome, broke }: Trial): keyof typeof outcomes {
  return broke === undefined ? outcome : 'violated';
}

/** With the reasons. */
function outcomeText(trial: Trial): string {
  const { broke, failed = [] } = trial;
  if (broke !== undefined) return `broke ${broke.join(', ')}`;
  return failed.length === 0 ? outcomes[trial.outcome] : `failed ${failed.join(', ')}`;
}

/** The trials of a search by their rate, the interval of the capacity, and the limits of p95 over all requests. */
export function capacityChart({ trials, result }: CapacityRecord, limits: readonly LatencyLimit[]): Markup {
  const sorted = trials.toSorted((one, other) => one.ratePerSecond - other.ratePerSecond);
  const rates = sorted.map(({ ratePerSecond }) => ratePerSecond);
  const scale = scaleLog([(rates[0] ?? 1) / 1.2, (rates.at(-1) ?? 1) * 1.2], [0, 1]);
  const p95s = sorted.map(({ p95Ms }) => p95Ms).toSorted((one, other) => one - other);
  const drawn = nearLimits(
    limits.filter(({ operation, point }) => operation === undefined && point === 'p95'),
    p95s,
  );
  const { y, ticks, note } = plotScale([...p95s, ...drawn.map(({ at }) => at)], p95s[Math.floor(p95s.length / 4)]);
  const interval = intervalOf(result);
  const trialsByRate = [...Map.groupBy(sorted, ({ ratePerSecond }) => ratePerSecond).values()];
  return chartFigure({
    id: 'trials',
    title: 'Latency by rate',
    lead: `The p95 of each trial, by offered rate${interval === undefined ? '' : `, and ${interval.name}`}. The horizontal axis is logarithmic.${note}`,
    unit: 'ms',
    legend: [
      ...Object.entries(outcomes)
        .filter(([outcome]) => trials.some((trial) => outcomeOf(trial) === outcome))
        .map(([series, name]) => ({ series, name })),
      ...(interval === undefined ? [] : [{ series: 'interval', name: interval.name }]),
      ...drawn.map(({ text }) => ({ series: 'p95 limit', name: text })),
    ],
    xTicks: scale
      .ticks(6)
      .filter((value) => /^[125]0*$/.test(String(value)))
      .map((value) => ({ at: scale(value), label: `${rateFigure(value)}/s` })),
    yTicks: ticks,
    drawing: [
      ...(interval === undefined ? [] : [intervalRect(interval, scale)]),
      ...sorted.map((trial) => {
        const { ratePerSecond, p95Ms } = trial;
        const place = `${(scale(ratePerSecond) * plot.width).toFixed(1)},${y(p95Ms).toFixed(1)}`;
        return markup`<path class="dot s-${outcomeOf(trial)}" d="M${place}L${place}"/>`;
      }),
      ...drawn.map(({ at }) => limitPath('p95', y(at))),
    ],
    bins: trialsByRate.map((own, index) => binOf(own, trialsByRate[index - 1], trialsByRate[index + 1], scale)),
    table: {
      head: ['offered, /s', 'outcome', 'succeeded, /s', 'p50, ms', 'p95, ms', 'p99, ms'],
      rows: sorted.map((trial) => [
        rateFigure(trial.ratePerSecond),
        outcomeText(trial),
        rateFigure(trial.throughputPerSecond),
        ...[trial.p50Ms, trial.p95Ms, trial.p99Ms].map(latencyFigure),
      ]),
    },
  });
}

type Interval = { readonly name: string; readonly lowPerSecond: number; readonly highPerSecond: number };

/** Where the capacity lies; undefined if only one bound is known. */
function intervalOf(result: CapacityRecord['result']): Interval | undefined {
  if (result.kind === 'found') return { name: 'the 95% confidence interval of the capacity', ...result.interval };
  if (result.kind !== 'unfinished') return undefined;
  const { passedPerSecond: low, failedPerSecond: high } = result;
  if (low === undefined || high === undefined) return undefined;
  return { name: 'the rates between which the search goes on', lowPerSecond: low, highPerSecond: high };
}

function intervalRect({ lowPerSecond, highPerSecond }: Interval, scale: (rate: number) => number): Markup {
  const place = (rate: number) => Math.min(1, Math.max(0, scale(rate))) * plot.width;
  const width = Math.max(1, place(highPerSecond) - place(lowPerSecond));
  return plotRect('interval', place(lowPerSecond), width, 0, plot.height);
}

/** The trials at one rate: the space around it, halfway to the neighbouring rates. */
function binOf(
  trials: readonly Trial[],
  before: readonly Trial[] | undefined,
  after: readonly Trial[] | undefined,
  scale: (rate: number) => number,
): ChartBin {
  const rate = trials[0]?.ratePerSecond ?? 1;
  const halfway = (others: readonly Trial[]) => (scale(others[0]?.ratePerSecond ?? rate) + scale(rate)) / 2;
  const passed = trials.filter((trial) => outcomeOf(trial) === 'held').length;
  return {
    from: before === undefined ? 0 : halfway(before),
    to: after === undefined ? 1 : halfway(after),
    heading: `${rateFigure(rate)}/s`,
    values: `${passed} of ${trials.length} passed · p95 ${trials.map(({ p95Ms }) => latencyFigure(p95Ms)).join(', ')} ms`,
  };
}
