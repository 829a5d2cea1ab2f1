import type { LiveLoad } from '../../reports/load/live-load.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';

/** A load at an instant. */
export type LoadSnapshot = {
  readonly kind: 'load';
  /** Its slices are only those that changed since the last snapshot. */
  readonly record: LoadRecord;
  /** Where these slices are in the run. */
  readonly changed: readonly number[];
  /** Undefined when the run is over. */
  readonly live: LiveLoad | undefined;
  readonly clock: string;
};

export type Snapshot = LoadSnapshot;

/** What the thread of a live page gets. */
export type ToLivePage =
  { readonly kind: 'show'; readonly snapshot: Snapshot; readonly status: string } | { readonly kind: 'end'; readonly status: string };

/** What it says. */
export type FromLivePage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'clients'; readonly count: number }
  | { readonly kind: 'stop' };
