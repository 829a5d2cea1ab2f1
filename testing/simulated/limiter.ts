import type { Clock } from '../../core/clock.ts';
import { createDraw } from '../../load/schedule/draw.ts';
import type { Prober } from '../../load/kinds/rate-limit/observe-windows.ts';
import type { LimitSample } from '../../load/kinds/rate-limit/limit-sample.ts';

export type SimulatedLimiter = {
  /** `weighted`: a fixed window on the clock, in which a share of the previous one counts too. It states when the fixed window is over. */
  readonly kind: 'from-first' | 'on-clock' | 'weighted' | 'sliding' | 'bucket';
  readonly quota: number;
  readonly windowMs: number;
  /** The `retryAfterMs` that it states, given the actual wait, the instant, and the wait for the whole quota. */
  readonly says: (trueMs: number, now: number, fullMs: number) => number;
  /** The most travel time each way; drawn evenly. */
  readonly travelMs: number;
  readonly seed: number;
  /** How many nodes count apart; one by default. */
  readonly nodes?: number;
  /** Which of them a request comes to, given its ordinal and a number from 0 up to 1; by default in turns. */
  readonly goesTo?: (ordinal: number, drawn: number) => number;
  /** The share of the requests that pass the limiter and fail behind it; 0 by default. */
  readonly failing?: number;
};

const connections = 10;

/** A limited target in virtual time, as a client sees it. */
export function simulateLimiter(limiter: SimulatedLimiter, clock: Clock): Prober {
  const { nodes = 1, goesTo = (ordinal) => ordinal, failing = 0 } = limiter;
  const draw = createDraw(limiter.seed);
  const counters = Array.from({ length: nodes }, () => createCounter(limiter, clock));
  let drawn = 0;
  let asked = 0;
  let passed = { count: 0, at: 0 };

  /** What the node says that a request comes to; undefined if it lets it pass. */
  function ask(): number | undefined {
    const counter = counters[Math.floor(goesTo((asked += 1), draw.at(asked, 2))) % nodes];
    const trueMs = counter?.ask();
    return trueMs === undefined ? undefined : limiter.says(trueMs, clock.now(), counter?.fullIn(trueMs) ?? trueMs);
  }

  async function probe(): Promise<LimitSample> {
    drawn += 1;
    const sentAt = clock.now();
    await clock.sleep(draw.at(drawn, 0) * limiter.travelMs);
    const retryAfterMs = ask();
    await clock.sleep(draw.at(drawn, 1) * limiter.travelMs);
    const receivedAt = clock.now();
    if (retryAfterMs !== undefined) return { sentAt, receivedAt, kind: 'limited', retryAfterMs };
    passed = { count: passed.count + 1, at: receivedAt };
    return { sentAt, receivedAt, kind: draw.at(drawn, 3) < failing ? 'other' : 'accepted', retryAfterMs };
  }

  async function burst(most: number): Promise<readonly LimitSample[]> {
    const samples: LimitSample[] = [];
    let isOver = false;
    let sent = 0;
    const connection = async () => {
      while (!isOver && sent < most) {
        sent += 1;
        const sample = await probe();
        samples.push(sample);
        if (sample.kind === 'limited') isOver = true;
      }
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return samples.toSorted((one, other) => one.sentAt - other.sentAt);
  }

  return { probe, burst, passed: () => passed };
}

/** What one node counts. */
function createCounter({ kind, quota, windowMs }: SimulatedLimiter, clock: Clock) {
  let startedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  let usedBefore = 0;
  let passed: number[] = [];
  let tokens = quota;
  let filledAt = clock.now();

  /** Milliseconds until the reset; undefined lets the request pass. */
  function ask(): number | undefined {
    const now = clock.now();
    switch (kind) {
      case 'from-first':
      case 'on-clock': {
        const start =
          kind === 'on-clock' ? Math.floor(now / windowMs) * windowMs : now < startedAt + windowMs ? startedAt : now;
        if (start !== startedAt) used = 0;
        startedAt = start;
        if (used >= quota) return startedAt + windowMs - now;
        used += 1;
        return undefined;
      }
      case 'weighted': {
        const start = Math.floor(now / windowMs) * windowMs;
        if (start !== startedAt) {
          usedBefore = start === startedAt + windowMs ? used : 0;
          used = 0;
        }
        startedAt = start;
        const endMs = start + windowMs - now;
        if (used + (usedBefore * endMs) / windowMs >= quota) return endMs;
        used += 1;
        return undefined;
      }
      case 'sliding':
        passed = passed.filter((at) => at > now - windowMs);
        if (passed.length >= quota) return (passed[0] ?? now) + windowMs - now;
        passed.push(now);
        return undefined;
      case 'bucket':
        tokens = Math.min(quota, tokens + ((now - filledAt) * quota) / windowMs);
        filledAt = now;
        if (tokens < 1) return ((1 - tokens) * windowMs) / quota;
        tokens -= 1;
        return undefined;
    }
  }

  /** Milliseconds until the whole quota is free again. */
  function fullIn(trueMs: number): number {
    if (kind === 'bucket') return ((quota - tokens) * windowMs) / quota;
    return kind === 'sliding' ? (passed.at(-1) ?? 0) + windowMs - clock.now() : trueMs;
  }

  return { ask, fullIn };
}
