import { sha256 } from '../../core/hash.ts';
import type { SideEffect, Target } from '../../core/target.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { RateCap } from '../engine/rate-cap.ts';
import type { Measured } from '../judge/measured.ts';
import type { FlowLoad } from '../kinds/flow/flow-steps.ts';
import type { ServerMetrics } from '../measure/server-metrics.ts';
import type { ProgressReport } from '../measure/report-progress.ts';
import type { OpenSchedule, Schedule, Shard } from '../schedule/arrivals.ts';
import type { LoadOperation, MixEntry } from './mix.ts';
import type { Threshold } from './threshold.ts';

/** A profile with every default filled in. */
export type Profile = {
  readonly name: string;
  readonly question: string;
  readonly load: Load;
  readonly warmUpMs: number;
  /** How long an answer may take before it counts as missing. */
  readonly timeoutMs: number;
  readonly mix: readonly MixEntry[];
  readonly thresholds: readonly Threshold[];
  /** The run ends early if one of them is true for the last seconds. They are about shares and times of requests that ended. */
  readonly abort: readonly Threshold[];
  /** The share of answers that are checked against the schemas, 0 to 1. */
  readonly validate: number;
  readonly rateLimitedIsError: boolean;
  /** Where the server of the target shows its metrics. */
  readonly server?: ServerMetrics | undefined;
  /** The number of threads that share the load; `auto` is one for each core, undefined is one. It does not change what the profile asks. */
  readonly workers?: number | 'auto' | undefined;
};

/** The load of a profile, whatever its kind. A kind makes it from its own settings: see load/kinds/load-kind.ts. */
export type Load = {
  /** The kind's name. */
  readonly kind: string;
  /** The kind's own numbers, as plain data. */
  readonly settings: object;
  /** When requests are sent; undefined where answers decide that. Only a schedule can be divided and compared. */
  readonly schedule: OpenSchedule | undefined;
  /** What users do one step after the other; undefined where no request depends on another one. */
  readonly flow: FlowLoad | undefined;
  /** The rate over time; undefined where answers set the pace. */
  readonly curve: Pick<Schedule, 'ratePerSecond' | 'stages'> | undefined;
  /** Whether it asks for throughput alone: each connection waits for its answer, which flatters the latencies. */
  readonly isThroughputOnly: boolean;
  /** What it sends without a schedule beside the operations of the profile: how late those leave says nothing of it. */
  readonly sendsBeside: LoadOperation | undefined;
  /** How long the measured part takes, in milliseconds; undefined where that depends on the answers. */
  readonly plannedMs: number | undefined;
  /** How long a run takes beside its measured part and its warm-up, in milliseconds. */
  readonly besideMs: number;
  /** The most requests a second; undefined where answers set the pace. */
  readonly peakPerSecond: number | undefined;
  /** Side effects that the target file must allow, beside `load`. */
  readonly effects: readonly SideEffect[];
  /** What it sends, for the sentence that announces a run. */
  readonly describe: (profile: Profile, target: Target) => string;
  /** What it changes on the target, in a sentence; undefined where it only reads. */
  readonly describeEffects: (target: Target) => string | undefined;
  /** How fast the target was, for the sentence that sums up a run. */
  readonly headline: (measured: Measured) => string;
  /** Runs it to its record. Rejects only for faults of the suite. */
  readonly run: (profile: Profile, options: LoadOptions) => Promise<LoadRecord>;
};

/** What a run needs beside its profile. */
export type LoadOptions = {
  readonly target: Target;
  readonly isEmbedded: boolean;
  readonly seed: number;
  readonly shard: Shard;
  /** The limit of the target file on all requests to the target, or the part of it that belongs to this shard. */
  readonly rateCap: RateCap;
  /** When to begin, in milliseconds since the epoch; undefined begins as soon as everything is ready. */
  readonly startAt: number | undefined;
  /** Ends the run at once; the record covers what was measured until then. */
  readonly signal: AbortSignal;
  /** Called about once a second. */
  readonly onProgress: (progress: ProgressReport) => void;
  /** Whether the times in the records of a run in progress are shown. Otherwise the threads of a load leave them out. */
  readonly isWatched: () => boolean;
};

/** Identifies a profile with every default filled in: runs with the same digest answer the same question. */
export function profileDigest(profile: Profile): string {
  const { kind, settings } = profile.load;
  const plain = { ...profile, load: { kind, ...settings }, workers: undefined, server: undefined };
  return `sha256:${sha256(JSON.stringify(plain))}`;
}
