import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { type Markup, markup } from '../../page/markup.ts';

/** The inside of a chart, in its own units: it is stretched to the width of the page. */
export const plot = { width: 1000, height: 200 } as const;

/** A label on an axis. `at` is a share of the axis from its beginning. */
export type Tick = { readonly at: number; readonly label: string };

export type PlotScale = {
  /** From the top, in units of the plot. */
  readonly y: (value: number) => number;
  readonly ticks: readonly Tick[];
  /** A sentence for the lead of the chart; empty for a linear axis. */
  readonly note: string;
};

/** If the largest value is more than this many times the typical one, a linear axis hides the others. */
const widestLinear = 25;

/** An axis for amounts: from 0, or logarithmic if the largest value would flatten the typical ones. */
export function plotScale(values: readonly number[], typical: number | undefined): PlotScale {
  const largest = Math.max(0, ...values) || 1;
  const isLogarithmic = typical !== undefined && typical > 0 && largest > typical * widestLinear;
  return isLogarithmic ? logarithmic(values, largest) : linear(largest);
}

function linear(largest: number): PlotScale {
  const scale = scaleLinear([0, largest], [plot.height, 0]).nice(4);
  const ticks = scale.ticks(4).map((value) => ({ at: 1 - scale(value) / plot.height, label: label(value) }));
  return { y: (value) => scale(value), ticks, note: '' };
}

function logarithmic(values: readonly number[], largest: number): PlotScale {
  const least = Math.max(largest / 1e6, Math.min(...values.filter((value) => value > 0)));
  const scale = scaleLog([least, largest], [plot.height, 0]).nice();
  const decades = scale.ticks().filter((value) => isPower(value));
  const steps = decades.length < 3 ? scale.ticks().filter((value) => isPower(value) || isPower(value / 3)) : decades;
  const ticks = steps.map((value) => ({ at: 1 - scale(value) / plot.height, label: label(value) }));
  return { y: (value) => scale(Math.max(value, least)), ticks, note: ' The vertical axis is logarithmic.' };
}

function isPower(value: number): boolean {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9;
}

function label(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
}

/** The middle one of the values that are above 0. */
export function middleAboveZero(values: readonly number[]): number | undefined {
  const sorted = values.filter((value) => value > 0).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A chart leaves out a limit above this multiple of the largest value, because it would flatten all other values. */
const farthestLimit = 4;

/** The limits that a chart of these values can show. */
export function nearLimits<Of extends { readonly at: number }>(
  limits: readonly Of[],
  values: readonly number[],
): readonly Of[] {
  const largest = Math.max(0, ...values);
  return limits.filter(({ at }) => at <= farthestLimit * largest);
}

/** A limit as a line from `x` to `toX`. */
export function limitPath(series: string, y: number, x = 0, toX: number = plot.width): Markup {
  return markup`<path class="limit s-${series}" d="M${x.toFixed(1)},${y.toFixed(1)}H${toX.toFixed(1)}"/>`;
}

/** A point in units of the plot; without `y` there is a gap. */
export type PlotPoint = { readonly x: number; readonly y: number | undefined };

/** A series as a line with gaps. A point between two gaps has no line, so it is drawn as a dot. */
export function seriesPath(series: string, points: readonly PlotPoint[]): Markup {
  const path = line<PlotPoint>()
    .defined(({ y }) => y !== undefined)
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0)
    .digits(1);
  const lone = points.filter(
    ({ y }, index) => y !== undefined && points[index - 1]?.y === undefined && points[index + 1]?.y === undefined,
  );
  const dots = lone.map(({ x, y = 0 }) => `M${x.toFixed(1)},${y.toFixed(1)}h.01`).join('');
  return markup`<path class="s-${series}" d="${path(points) ?? ''}"/>${
    dots === '' ? undefined : markup`<path class="lone s-${series}" d="${dots}"/>`
  }`;
}

export function plotRect(series: string, x: number, width: number, top: number, bottom: number): Markup {
  const [left, wide, y, height] = [x, width, top, bottom - top].map((value) => value.toFixed(1));
  return markup`<rect class="s-${series}" x="${left}" width="${wide}" y="${y}" height="${height}"/>`;
}
