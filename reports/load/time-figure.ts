/** A time in milliseconds, with as many digits as mean something. */
export function timeFigure(ms: number): string {
  if (ms >= 100) return ms.toFixed(0);
  return ms >= 10 ? ms.toFixed(1) : ms.toFixed(2);
}
