import type { Answer } from './exchange.ts';
import { at } from './json.ts';
import { sum } from './numbers.ts';

/** One refused request. Times are milliseconds of one clock; the refusal was decided between them. */
export type Refusal = { readonly sentAt: number; readonly receivedAt: number; readonly retryAfterMs: number };

/** retryAfterMs of a 429; undefined if it is not a number. */
export function retryAfterOf(answer: Answer | undefined): number | undefined {
  const value = at(answer?.json, 'error', 'retryAfterMs');
  return typeof value === 'number' ? value : undefined;
}

/** When the reset is that a refusal announces to the one who received it, in milliseconds of the clock; undefined if it announces none. */
export function announcedEnd(answer: Answer): number | undefined {
  const leftMs = retryAfterOf(answer);
  return leftMs === undefined ? undefined : answer.exchange.receivedAt + leftMs;
}

/** The instants between which the reset lies that a refusal implies: `retryAfterMs` was computed after sending and before receipt. */
export function impliedReset({ sentAt, receivedAt, retryAfterMs }: Refusal) {
  return { earliest: sentAt + retryAfterMs, latest: receivedAt + retryAfterMs };
}

/** The unit that the values seem to be rounded to, in milliseconds. Values that are all 0 fit every unit. */
export function roundingOf(refusals: readonly Refusal[]): number {
  const unit = [1000, 100, 10].find((size) => refusals.every(({ retryAfterMs }) => retryAfterMs % size === 0));
  return unit ?? 1;
}

export type Point = { readonly x: number; readonly y: number };

/** The line closest to the points, by least squares: level where they lie at one x. */
export function lineThrough(points: readonly Point[]) {
  const [x0, y0] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = sum(points.map(({ x }) => (x - x0) ** 2));
  const slope = spread === 0 ? 0 : sum(points.map(({ x, y }) => (x - x0) * (y - y0))) / spread;
  return { slope, at: (x: number) => y0 + slope * (x - x0) };
}

export function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}
