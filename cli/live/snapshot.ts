import type { Changes } from '../../load/measure/changed-slices.ts';
import type { LiveLoad } from '../../reports/load/live-load.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import type { LiveRun } from '../../reports/run/page/live-run.ts';

/** A load at an instant. */
export type LoadSnapshot = Changes & {
  readonly kind: 'load';
  /** Undefined when the run is over. */
  readonly live: LiveLoad | undefined;
  readonly clock: string;
};

/** A conformance run at an instant. */
export type RunSnapshot = {
  readonly kind: 'run';
  readonly record: RunRecord;
  /** Undefined when the run is over. */
  readonly live: LiveRun | undefined;
  readonly clock: string;
};

export type Snapshot = LoadSnapshot | RunSnapshot;

/** A message to the thread of a live page. */
export type ToLivePage =
  | { readonly kind: 'show'; readonly snapshot: Snapshot; readonly status: string }
  | { readonly kind: 'end'; readonly status: string };

/** A message from that thread. */
export type FromLivePage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'clients'; readonly count: number }
  | { readonly kind: 'stop' };
