import { scaleLinear, scaleLog } from 'd3-scale';

/** The inside of a chart, in units of its own: it is stretched to the width there is. */
export const plot = { width: 1000, height: 200 } as const;

/** A place on an axis, as a share of it from its beginning, and what is written there. */
export type Tick = { readonly at: number; readonly label: string };

export type PlotScale = {
  /** Where a value lies, in units of the plot, from its top. */
  readonly y: (value: number) => number;
  readonly ticks: readonly Tick[];
  readonly isLogarithmic: boolean;
};

/** A largest value so many times the typical one would leave nothing of the others to see. */
const widestLinear = 25;

/** An axis for amounts. It begins at 0, unless the largest would flatten what is typical: then it is logarithmic. */
export function plotScale(values: readonly number[], typical: number | undefined): PlotScale {
  const largest = Math.max(0, ...values) || 1;
  const isLogarithmic = typical !== undefined && typical > 0 && largest > typical * widestLinear;
  return isLogarithmic ? logarithmic(values, largest) : linear(largest);
}

function linear(largest: number): PlotScale {
  const scale = scaleLinear([0, largest], [plot.height, 0]).nice(4);
  const ticks = scale.ticks(4).map((value) => ({ at: 1 - scale(value) / plot.height, label: label(value) }));
  return { y: (value) => scale(value), ticks, isLogarithmic: false };
}

function logarithmic(values: readonly number[], largest: number): PlotScale {
  const least = Math.max(largest / 1e6, Math.min(...values.filter((value) => value > 0)));
  const scale = scaleLog([least, largest], [plot.height, 0]).nice();
  const decades = scale.ticks().filter((value) => isPower(value));
  const steps = decades.length < 3 ? scale.ticks().filter((value) => isPower(value) || isPower(value / 3)) : decades;
  const ticks = steps.map((value) => ({ at: 1 - scale(value) / plot.height, label: label(value) }));
  return { y: (value) => scale(Math.max(value, least)), ticks, isLogarithmic: true };
}

function isPower(value: number): boolean {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9;
}

function label(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
}
