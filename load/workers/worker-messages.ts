import type { ProxySettings, Target } from '../../core/target.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Changes } from '../measure/changed-slices.ts';
import type { Profile } from '../profile/profile.ts';
import type { OpenSchedule, Shard } from '../schedule/arrivals.ts';

/** The part of a load that a thread sends; plain data. */
export type WorkerJob = {
  /** The thread makes the load from the schedule. The conditions to end early are about the answers of all threads. */
  readonly profile: Omit<Profile, 'load' | 'abort'>;
  readonly schedule: OpenSchedule;
  /** Whether a condition to end early is about times: then all progress has its histograms. */
  readonly needsTimes: boolean;
  /** Without functions. */
  readonly target: Omit<Target, 'proxyFor' | 'renewal'>;
  readonly proxies: ReadonlyMap<string, ProxySettings | undefined>;
  readonly isEmbedded: boolean;
  readonly seed: number;
  readonly shard: Shard;
  /** The limit of this part. */
  readonly maxPerSecond: number;
};

/** `startAt` is in milliseconds since the epoch. */
export type ToWorker =
  | { readonly kind: 'start'; readonly startAt: number }
  | { readonly kind: 'watch'; readonly isWatched: boolean }
  | { readonly kind: 'end' };

export type PartProgress = Changes & { readonly elapsedMs: number; readonly broken: number };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: PartProgress }
  | { readonly kind: 'over'; readonly record: LoadRecord };
