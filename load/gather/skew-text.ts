import type { PartClock } from '../../reports/load/load-record.ts';

/** A difference between clocks that is worth mentioning, in milliseconds: requests of a second would look misplaced. */
const notableMs = 100;

export function isNotableClock({ offsetMs }: PartClock): boolean {
  return Math.abs(offsetMs) >= notableMs;
}

export function skewText({ offsetMs, uncertaintyMs }: PartClock): string {
  const side = offsetMs > 0 ? 'behind' : 'ahead of';
  return `its clock is ${spanText(Math.abs(offsetMs))} ${side} the coordinator's (± ${spanText(uncertaintyMs)}), and its start was corrected`;
}

/** A span of time such as `0.4 ms`, `5.0 s` or `10 min`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 100_000) return `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
