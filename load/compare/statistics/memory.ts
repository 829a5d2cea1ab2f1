/**
 * For how many fitted parameters memory is added back: two levels, and three for the search of their border, which is by
 * calibration on simulated histories. With three in all, a quarter of those with much memory seemed to have steps.
 */
const fitted = 5;

/** The most memory that is assumed; otherwise every trend would count as memory. */
const mostKept = 0.75;

/**
 * The factor by which a series with correlated neighbours seems more certain than it is: the standard deviation of its
 * mean, over that of as many independent values. It is √((1 + ρ) / (1 − ρ)) where each value keeps a share ρ of
 * the one before; machines that are busy this week are such a series.
 *
 * ρ is estimated from what a step or a line leaves unexplained. Each parameter that was fitted takes about (1 + 3ρ) / n of
 * the memory away (Kendall 1954, for the mean), which is added back: without that, every slow swing of a short series is
 * taken for a step. Memory that makes neighbours differ is not counted.
 */
export function memoryFactor(residuals: readonly number[]): number {
  const n = residuals.length;
  const mean = residuals.reduce((sum, value) => sum + value, 0) / n;
  let product = 0;
  let square = 0;
  for (const [index, value] of residuals.entries()) {
    square += (value - mean) ** 2;
    if (index > 0) product += (value - mean) * ((residuals[index - 1] ?? 0) - mean);
  }
  if (n < 3 || square === 0) return 1;
  const seen = product / square;
  const kept = Math.min(mostKept, Math.max(0, seen + (fitted * (1 + 3 * seen)) / n));
  return Math.sqrt((1 + kept) / (1 - kept));
}
