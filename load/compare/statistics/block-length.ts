/**
 * How many neighbours of a series have to stay together in a block bootstrap, so that the blocks keep what the values
 * have to do with each other: the rule of Politis and White (2004), as corrected by Patton, Politis and White (2009), for
 * blocks drawn from a circle. At least 1, at most a third of the series.
 *
 * The idea: let m be the lag after which the correlations are lost in noise. Correlations up to 2m, those beyond m with
 * fading weight, give the long-run variance and its slope in the block length; longer blocks have less bias and more
 * variance, and the two balance at (2 g² / D)^⅓ n^⅓.
 *
 *   weight 1 ────────┐
 *                     \
 *          0           └────
 *            0       m  2m   lag
 */
export function blockLength(values: readonly number[]): number {
  const n = values.length;
  const longest = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  const covariances = autocovariances(values, Math.min(n - 1, Math.ceil(Math.sqrt(n)) + 2 * quietLags(n)));
  const variance = covariances[0] ?? 0;
  if (n < 9 || variance <= 0) return 1;
  const lags = Math.min(2 * lastCorrelatedLag(covariances, n), covariances.length - 1);
  if (lags === 0) return 1;
  let longRun = variance;
  let slope = 0;
  for (let lag = 1; lag <= lags; lag += 1) {
    const term = 2 * Math.min(1, 2 * (1 - lag / lags)) * (covariances[lag] ?? 0);
    longRun += term;
    slope += lag * term;
  }
  if (longRun === 0) return longest;
  const optimal = Math.cbrt((2 * slope * slope * n) / ((4 / 3) * longRun * longRun));
  return Math.min(longest, Math.max(1, Math.round(optimal)));
}

/** How many lags in a row must show nothing before the correlations count as over. */
function quietLags(n: number): number {
  return Math.max(5, Math.ceil(Math.sqrt(Math.log10(Math.max(10, n)))));
}

/** The smallest lag that only lost correlations follow; 0 where there never was one. */
function lastCorrelatedLag(covariances: readonly number[], n: number): number {
  const noise = 2 * Math.sqrt(Math.log10(n) / n) * (covariances[0] ?? 0);
  const quiet = quietLags(n);
  for (let lag = 0; lag + 1 < covariances.length; lag += 1) {
    const next = covariances.slice(lag + 1, lag + 1 + quiet);
    if (next.every((covariance) => Math.abs(covariance) < noise)) return lag;
  }
  return covariances.length - 1;
}

function autocovariances(values: readonly number[], lags: number): readonly number[] {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return Array.from({ length: lags + 1 }, (_, lag) => {
    let sum = 0;
    for (let at = lag; at < n; at += 1) sum += ((values[at] ?? 0) - mean) * ((values[at - lag] ?? 0) - mean);
    return sum / n;
  });
}
