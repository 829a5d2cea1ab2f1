import type { Exchange } from '../../core/exchange.ts';

/** One request of a history, and what it was about or what its answer shows. */
type Lane = { readonly exchange: Exchange; readonly shows: string };

/**
 * Overlapping requests that no order explains. Before the answer that came at `failsAt`, in milliseconds of the clock, some order did.
 */
export type Lanes = { readonly requests: readonly Lane[]; readonly failsAt: number };

/** The first of the times at which the history until then is inexplicable. Infinite times stand for answers that never came. */
export function firstFailure(times: readonly number[], isInexplicable: (until: number) => boolean): number {
  const ordered = [...new Set(times)].filter(Number.isFinite).toSorted((one, other) => one - other);
  return ordered.find(isInexplicable) ?? ordered.at(-1) ?? 0;
}
