/** How reports write numbers: every renderer uses these, so that one number reads alike everywhere. */

/** A count, without Intl: in a new process, that takes longer than all other words of a report. */
export function count(amount: number): string {
  return String(Math.round(amount)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 request`, `2,025 requests`. */
export function some(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

/** A duration with its unit: `12 ms`, `3.4 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A latency in milliseconds, without the unit, to three digits; a dash where there is none. */
export function latencyFigure(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms >= 100) return ms.toFixed(0);
  return ms.toFixed(ms >= 10 ? 1 : 2);
}

/** A rate without the unit: `10.3`, `1,250`. */
export function rateFigure(perSecond: number): string {
  return perSecond.toLocaleString('en', { maximumFractionDigits: perSecond < 100 ? 1 : 0 });
}

/** A share of 1. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)}%`;
}

/** An ISO date-time as people read it. */
export function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
