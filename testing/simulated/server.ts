import type { CapacityTrial } from '../../load/kinds/capacity/tally.ts';

/** A single server with a queue, M/M/1: arrivals and service times are exponential. */
export type SimulatedServer = {
  /** Its rate when it is never idle. */
  readonly servedPerSecond: number;
  /** How much that varies from trial to trial, as a share. */
  readonly speedNoise: number;
  /** How much the percentiles of a trial vary, as a share. */
  readonly latencyNoise: number;
  /** The share of trials that break by accident, whatever the rate. */
  readonly accidents: number;
};

/**
 * The rate at which the 95th percentile reaches a limit. The time in an M/M/1 system is exponential with mean
 * 1 / (served − arriving), so its 95th percentile is ln 20 times that.
 */
export function ceilingPerSecond({ servedPerSecond }: SimulatedServer, p95LimitMs: number): number {
  return servedPerSecond - (1000 * Math.log(20)) / p95LimitMs;
}

/** A trial with a threshold on its 95th percentile. `random` gives numbers from 0 up to 1. */
export function simulateCapacityTrial(
  server: SimulatedServer,
  ratePerSecond: number,
  p95LimitMs: number,
  random: () => number,
): CapacityTrial {
  const served = server.servedPerSecond * Math.exp(server.speedNoise * centred(random));
  // Above that rate the queue grows for as long as the trial lasts: five seconds.
  const mean = ratePerSecond < served ? Math.min(5000, 1000 / (served - ratePerSecond)) : 5000;
  const noise = Math.exp(server.latencyNoise * centred(random));
  const accident = random() < server.accidents ? 10 : 1;
  const p95Ms = Math.log(20) * mean * noise * accident;
  return {
    ratePerSecond,
    outcome: p95Ms < p95LimitMs ? 'held' : 'broke',
    throughputPerSecond: Math.min(ratePerSecond, served),
    p50Ms: Math.LN2 * mean * noise,
    p95Ms,
    p99Ms: Math.log(100) * mean * noise * accident,
  };
}

/** Nearly normal, with mean 0 and variance 1: the sum of twelve even numbers. */
function centred(random: () => number): number {
  let sum = -6;
  for (let count = 0; count < 12; count += 1) sum += random();
  return sum;
}
