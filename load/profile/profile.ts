import type { Threshold } from './threshold.ts';

/** From the rate before, evenly to `ratePerSecond`, in that time; 0 ms is a jump. */
export type Stage = { readonly ratePerSecond: number; readonly overMs: number };

export type OpenLoad = {
  readonly kind: 'open';
  /** How arrivals lie: drawn at random around the rate, or evenly. */
  readonly arrivals: 'poisson' | 'constant';
  /** `precise` spends a whole core on sending within microseconds of the scheduled instant. */
  readonly pacing: 'timer' | 'precise';
  /** Connections that are open at once, at most. */
  readonly sockets: number;
  /** Where the first stage begins. */
  readonly ratePerSecond: number;
  /** At least one. */
  readonly stages: readonly Stage[];
};

export type ClosedLoad = { readonly kind: 'closed'; readonly connections: number; readonly durationMs: number };

export type CapacityLoad = {
  readonly kind: 'capacity';
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly trialMs: number;
  readonly repeats: number;
  /** The search ends when the bracket is no wider than this share of its rate. */
  readonly precision: number;
  readonly sockets: number;
};

export type RateLimitLoad = {
  readonly kind: 'rateLimit';
  readonly connections: number;
  /** How many windows are looked at. */
  readonly windows: number;
  readonly longestWindowMs: number;
};

export type ContentionLoad = {
  readonly kind: 'contention';
  readonly writers: number;
  readonly chats: number;
  /** Requests that are sent at once with one idempotency key. */
  readonly storm: number;
  readonly durationMs: number;
};

export type LongPollLoad = {
  readonly kind: 'longPoll';
  /** Requests that are held open at once. */
  readonly held: number;
  readonly waitSeconds: number;
  /** Of the other operations, meanwhile. */
  readonly ratePerSecond: number;
  readonly durationMs: number;
};

export type Load = OpenLoad | ClosedLoad | CapacityLoad | RateLimitLoad | ContentionLoad | LongPollLoad;

/** One operation of the mix. Weights count against each other. */
export type MixEntry =
  | {
      readonly operation: 'listModels' | 'listDataSources';
      readonly weight: number;
      /** Drawn evenly; empty sends no limit. */
      readonly limits: readonly number[];
    }
  | { readonly operation: 'getBillingAccount'; readonly weight: number }
  | {
      readonly operation: 'sendMessage';
      readonly weight: number;
      readonly waitSeconds: number | undefined;
      readonly prompt: 'quick' | 'slow';
    };

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
  /** Ends the run early when one of them comes true of the last seconds. Only about shares. */
  readonly abort: readonly Threshold[];
  /** The share of answers that are held against the schemas, 0 to 1. */
  readonly validate: number;
  readonly rateLimitedIsError: boolean;
};

/** How long the measured part of a run is planned to take, in milliseconds; undefined where it depends on the answers. */
export function plannedMs(load: Load): number | undefined {
  switch (load.kind) {
    case 'open':
      return load.stages.reduce((sum, { overMs }) => sum + overMs, 0);
    case 'closed':
    case 'contention':
    case 'longPoll':
      return load.durationMs;
    case 'capacity':
    case 'rateLimit':
      return undefined;
  }
}
