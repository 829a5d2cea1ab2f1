/** A time in milliseconds, with as many digits as mean something; a dash where there is none. */
export function timeFigure(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms >= 100) return ms.toFixed(0);
  return ms >= 10 ? ms.toFixed(1) : ms.toFixed(2);
}
