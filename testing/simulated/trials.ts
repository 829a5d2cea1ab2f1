import { bucketOf } from '../../load/measure/histogram.ts';
import type { Block, Round, Trial } from '../../load/compare/trial.ts';

/** How a simulated build answers, and how its trials vary. Logarithmic spreads are of natural logarithms. */
export type SimulatedBuild = {
  readonly medianUs: number;
  /** Spread of single latencies. */
  readonly logSpread: number;
  /** How alike neighbouring requests are, 0 to 1. */
  readonly likeness: number;
  /** Spread of the level from trial to trial, which no length of a trial averages out. */
  readonly trialLogSpread: number;
  /** Spread of `logSpread` from trial to trial: the tail varies more than the middle. */
  readonly tailLogSpread: number;
  /** Spread of the level from second to second; a second resembles the one before it. */
  readonly secondLogSpread: number;
  readonly stallsPerSecond: number;
  /** The mean of an exponential distribution. */
  readonly stallMs: number;
};

/**
 * Varies like ten measured runs of five seconds at 500 requests a second: p50 by 6%, p95 by 9%, p99 by 69%. Here these are
 * standard deviations, which is stricter: as the range of ten runs they would be a third of that.
 */
export const measuredNoise: SimulatedBuild = {
  medianUs: 5000,
  logSpread: 0.35,
  likeness: 0.5,
  trialLogSpread: 0.055,
  tailLogSpread: 0.06,
  secondLogSpread: 0.03,
  stallsPerSecond: 0.45,
  stallMs: 20,
};

/** A build on an otherwise idle machine: a few rounds show a small change. */
export const quietBuild: SimulatedBuild = {
  ...measuredNoise,
  trialLogSpread: 0.01,
  tailLogSpread: 0.01,
  secondLogSpread: 0.01,
  stallsPerSecond: 0,
};

export type Schedule = { readonly ratePerSecond: number; readonly seconds: number };

/** One trial under Poisson arrivals. `random` gives numbers from 0 up to 1. */
export function simulateTrial(build: SimulatedBuild, schedule: Schedule, random: () => number): Trial {
  const level = Math.log(build.medianUs) + build.trialLogSpread * normal(random);
  const spread = build.logSpread * Math.exp(build.tailLogSpread * normal(random));
  const stalls = drawStalls(build, schedule, random);
  const blocks: Block[] = [];
  let drift = normal(random);
  let noise = normal(random);
  let atMs = -Math.log1p(-random()) * (1000 / schedule.ratePerSecond);
  for (let second = 0; second < schedule.seconds; second += 1) {
    drift = alike(drift, 0.7, random);
    const latenciesUs: number[] = [];
    while (atMs < (second + 1) * 1000) {
      noise = alike(noise, build.likeness, random);
      const stalledMs = stalls.reduce(
        (sum, { fromMs, toMs }) => (atMs >= fromMs ? Math.max(sum, toMs - atMs) : sum),
        0,
      );
      latenciesUs.push(Math.exp(level + build.secondLogSpread * drift + spread * noise) + stalledMs * 1000);
      atMs += -Math.log1p(-random()) * (1000 / schedule.ratePerSecond);
    }
    blocks.push({ latency: countLatencies(latenciesUs), answers: latenciesUs.length, durationMs: 1000 });
  }
  return { blocks };
}

/** Alternated trials of two builds: A B, B A, A B, … */
export function simulateRounds(
  [a, b]: readonly [SimulatedBuild, SimulatedBuild],
  rounds: number,
  schedule: Schedule,
  random: () => number,
): readonly Round[] {
  return Array.from({ length: rounds }, () => ({
    a: simulateTrial(a, schedule, random),
    b: simulateTrial(b, schedule, random),
  }));
}

/** The same build, with p50 and p95 that many times as large. Stalls stay as they are. */
export function slower(build: SimulatedBuild, p50: number, p95: number): SimulatedBuild {
  // ln p95 lies 1.645 spreads above ln p50.
  const widening = Math.log(p95 / p50) / 1.6449;
  return { ...build, medianUs: build.medianUs * p50, logSpread: build.logSpread + widening };
}

type Stall = { readonly fromMs: number; readonly toMs: number };

function drawStalls(build: SimulatedBuild, { seconds }: Schedule, random: () => number): readonly Stall[] {
  const stalls: Stall[] = [];
  let fromMs = 0;
  while (build.stallsPerSecond > 0) {
    fromMs += (-Math.log1p(-random()) * 1000) / build.stallsPerSecond;
    if (fromMs >= seconds * 1000) break;
    stalls.push({ fromMs, toMs: fromMs - Math.log1p(-random()) * build.stallMs });
  }
  return stalls;
}

/** The next value of a process with mean 0 and variance 1 whose neighbours correlate. */
function alike(before: number, correlation: number, random: () => number): number {
  return correlation * before + Math.sqrt(1 - correlation * correlation) * normal(random);
}

/** A standard normal number, by the Box–Muller transform. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log1p(-random())) * Math.cos(2 * Math.PI * random());
}

/** Latencies in microseconds, in any order, counted to three significant digits. */
export function countLatencies(latenciesUs: Iterable<number>): Block['latency'] {
  const buckets = new Map<number, number>();
  for (const latencyUs of latenciesUs) {
    const bucket = bucketOf(Math.round(latencyUs));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  return [...buckets];
}
