/**
 * An uncertainty on the logarithmic scale: 0.05 is about 5%. `degrees` of freedom say how well it is known,
 * Infinity if it is not an estimate.
 */
export type Spread = { readonly log: number; readonly degrees: number };

/**
 * Independent uncertainties add as squares. The degrees of freedom of the sum follow the approximation of Welch and
 * Satterthwaite: the largest part determines how well the sum is known.
 */
export function combined(...spreads: readonly Spread[]): Spread {
  const variance = spreads.reduce((sum, { log }) => sum + log ** 2, 0);
  const uncertainty = spreads.reduce((sum, { log, degrees }) => sum + log ** 4 / degrees, 0);
  return { log: Math.sqrt(variance), degrees: uncertainty === 0 ? Infinity : variance ** 2 / uncertainty };
}

/** The standard deviation; NaN for fewer than two values, or if one of them is NaN. */
export function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
