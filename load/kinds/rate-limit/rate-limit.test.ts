import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../../core/clock.ts';
import { alternates } from './alternation.ts';
import { estimateLimit } from './estimate-limit.ts';
import type { LimitEstimate } from './limit-estimate.ts';
import { judgeHonesty } from './judge-honesty.ts';
import { honestyFacts } from './limit-facts.ts';
import type { LimitedWindow, LimitSample } from './limit-sample.ts';
import { observeWindows, type Observed } from './observe-windows.ts';
import { simulateLimiter, type SimulatedLimiter } from '../../../testing/simulated/limiter.ts';

const honest: SimulatedLimiter = {
  kind: 'from-first',
  quota: 200,
  windowMs: 2000,
  says: (ms) => Math.ceil(ms),
  travelMs: 3,
  seed: 1,
};

async function observe(over: Partial<SimulatedLimiter>, windows = 6, writesMs = 0, beside = 0): Promise<Observed> {
  const clock = virtualClock();
  const prober = simulateLimiter({ ...honest, ...over }, clock);
  return observeWindows({
    prober,
    clock,
    windows,
    longestWindowMs: 120_000,
    budget: 20_000,
    async whileLimited() {
      await clock.sleep(writesMs);
      for (let sent = 0; sent < beside; sent += 1) await prober.probe();
    },
    signal: new AbortController().signal,
  });
}

function estimate({ windows, startedAt }: Observed) {
  return estimateLimit(windows, {
    firstOpenedAt: startedAt,
    startedAt,
    sentBefore: 0,
    isHonest: judgeHonesty(windows).verdict === 'honest',
  });
}

describe('the limit', () => {
  test.each([
    ['from-first', 'fixed window, from its first request'],
    ['on-clock', 'fixed window, on the clock'],
    ['sliding', 'sliding window'],
    ['bucket', 'token bucket'],
  ] as const)('%s is a %s', async (kind, name) => {
    for (const [quota, windowMs, travelMs] of [
      [200, 2000, 3],
      [20, 1000, 1],
      [100, 60_000, 40],
    ] as const) {
      const found = estimate(await observe({ kind, quota, windowMs, travelMs }));
      expect([kind, quota, found.kind]).toEqual([kind, quota, name]);
      expect(Math.abs((found.quota?.value ?? 0) / quota - 1)).toBeLessThan(0.15);
      expect(Math.abs((found.windowMs?.value ?? 0) / windowMs - 1)).toBeLessThan(0.2);
      expect(found.quota?.low).toBeLessThanOrEqual(quota);
      expect(found.quota?.high).toBeGreaterThanOrEqual(quota);
      if (name.startsWith('fixed')) {
        expect(found.quota).toEqual({ value: quota, low: quota, high: quota });
        expect(found.windowMs?.low).toBeLessThanOrEqual(windowMs);
        expect(found.windowMs?.high).toBeGreaterThanOrEqual(windowMs);
      }
    }
  });

  test('a bucket that fills up between two probes is distinguished from a slower one', async () => {
    for (const [quota, windowMs, writesMs] of [
      [20, 1000, 200],
      [200, 2000, 400],
    ] as const) {
      const found = estimate(await observe({ kind: 'bucket', quota, windowMs, travelMs: 5 }, 6, writesMs));
      expect(found.kind).toBe('token bucket');
      expect([quota, Math.abs((found.windowMs?.value ?? 0) / windowMs - 1) < 0.25]).toEqual([quota, true]);
    }
  });

  test('a sliding window that frees single old requests at first is no slow bucket: it was full again much sooner', () => {
    const sample = (at: number, kind: LimitSample['kind'], retryAfterMs?: number): LimitSample => {
      return { sentAt: at - 2, receivedAt: at, kind, retryAfterMs };
    };
    const window = (openedAt: number, accepted: number, usedUpAt: number, refusedUntil: number): LimitedWindow => ({
      opened: sample(openedAt, 'accepted'),
      accepted,
      refused: [sample(usedUpAt, 'limited', refusedUntil - usedUpAt), sample(refusedUntil, 'limited', 50)],
      reopened: sample(refusedUntil + 60, 'accepted'),
      isWaitedOut: true,
      isSplit: false,
      isRested: false,
      settledAt: openedAt,
      beside: 0,
    });
    const windows = [
      window(4700, 38, 6560, 7170),
      window(7220, 1, 7236, 8300),
      window(8400, 41, 20_880, 22_260),
      window(22_340, 41, 28_560, 30_240),
      window(30_430, 41, 33_690, 35_350),
      window(35_440, 40, 37_120, 37_780),
    ];
    const found = estimateLimit(windows, { firstOpenedAt: 4700, startedAt: 4700, sentBefore: 2, isHonest: true });
    expect(found.kind).toBe('sliding window');
    expect(found.windowMs?.low).toBeGreaterThan(1600);
    expect(found.windowMs?.low).toBeLessThanOrEqual(2000);
    expect(found.windowMs?.value).toBeLessThan(3600);
    expect(found.windowMs?.high).toBeGreaterThanOrEqual(2000);
  });

  test('a bucket has ranges that hold its quota and its window, also where other requests take tokens', async () => {
    for (const beside of [0, 2]) {
      for (let seed = 1; seed <= 12; seed += 1) {
        const [quota, windowMs] = [20 + seed ** 2, 900 * seed];
        const limiter = { kind: 'bucket', quota, windowMs, travelMs: 6 * seed, seed } as const;
        const { quota: found, windowMs: lasts } = estimate(await observe(limiter, 6, 20 * seed, beside));
        const isIn = (value: number, { low, high } = { low: NaN, high: NaN }) => low <= value && value <= high;
        expect([beside, seed, isIn(quota, found), isIn(windowMs, lasts)]).toEqual([beside, seed, true, true]);
      }
    }
  });

  test('a sliding window has a range that holds it, also where single requests are freed at first', async () => {
    const kinds: string[] = [];
    for (const [quota, windowMs, travelMs, writesMs, beside] of [
      [97, 5693, 20, 267, 1],
      [49, 2968, 20, 297, 1],
      [330, 44_514, 200, 22, 0],
    ] as const) {
      for (let seed = 1; seed <= 10; seed += 1) {
        const limiter = { kind: 'sliding', quota, windowMs, travelMs, seed } as const;
        const found = estimate(await observe(limiter, 6, writesMs, beside));
        kinds.push(found.kind);
        const { low, high } = found.windowMs ?? { low: NaN, high: NaN };
        expect([quota, seed, low <= windowMs && windowMs <= high]).toEqual([quota, seed, true]);
      }
    }
    expect(new Set(kinds)).toEqual(new Set(['sliding window']));
  });

  test('a fixed window of an unknown kind has a range that holds both', async () => {
    const kinds = new Set<string>();
    for (const kind of ['from-first', 'on-clock'] as const) {
      for (let seed = 1; seed <= 8; seed += 1) {
        const says = (ms: number) => Math.ceil(ms / 1000) * 1000;
        const limiter = { kind, windowMs: 1000, quota: 10 * seed, travelMs: 5 * seed, seed, says };
        const found = estimate(await observe(limiter, 6, 90 * seed));
        kinds.add(found.kind);
        const { low, high } = found.windowMs ?? { low: NaN, high: NaN };
        expect([kind, seed, low <= 1000 && 1000 <= high && high < 4000]).toEqual([kind, seed, true]);
      }
    }
    expect(kinds).toContain('fixed window');
  });

  test('of one counter has figures, also where a request is accepted before the reset that it states', async () => {
    const endOf = (unitMs: number) => (ms: number, now: number) => Math.ceil((now + ms) / unitMs) * unitMs - now;
    let early = 0;
    for (const [kind, says] of [
      ['weighted', (ms: number) => ms],
      ['from-first', endOf(60_000)],
      ['from-first', endOf(10_000)],
      ['on-clock', endOf(60_000)],
      ['on-clock', endOf(10_000)],
    ] as const) {
      for (let seed = 1; seed <= 6; seed += 1) {
        const [quota, windowMs] = [20 * seed, 1000 * seed];
        const observed = await observe({ kind, says, quota, windowMs, travelMs: 5 * seed, seed }, 6, 60 * seed);
        if (alternates(observed.windows)) early += 1;
        const found = estimate(observed);
        expect([kind, seed, found.quota?.value]).toEqual([kind, seed, quota]);
        expect([kind, seed, Math.abs((found.windowMs?.value ?? 0) / windowMs - 1) < 0.15]).toEqual([kind, seed, true]);
      }
    }
    expect(early).toBeGreaterThan(10);
  });

  test('a target without one shows none, within the budget', async () => {
    const { windows, sent } = await observe({ quota: Number.POSITIVE_INFINITY });
    expect(windows).toEqual([]);
    expect(sent).toBeLessThanOrEqual(20_010);
  });

  test('that lies is named all the same, from what is seen', async () => {
    for (const says of [(ms: number) => ms / 2, (ms: number) => Math.ceil(ms / 1000), () => 2000]) {
      for (const kind of ['from-first', 'on-clock'] as const)
        expect(estimate(await observe({ kind, says })).kind).toMatch(/^fixed window/);
      expect(estimate(await observe({ kind: 'sliding', says })).kind).not.toMatch(/^fixed window/);
      expect(estimate(await observe({ kind: 'bucket', says })).kind).not.toMatch(/^fixed window/);
    }
  });
});

describe('nodes that count apart', () => {
  const isNear = (value = NaN, truth: number) => Math.abs(value / truth - 1) < 0.2;
  const random = (nodes: number) => ({ nodes, goesTo: (_ordinal: number, drawn: number) => drawn * nodes });

  test('give no figures in half of the runs, and wrong ones in a quarter: a refusal goes on after a success', async () => {
    const wrong: LimitEstimate[] = [];
    for (const kind of ['from-first', 'on-clock', 'sliding'] as const) {
      for (const [quota, windowMs, travelMs] of [
        [200, 2000, 3],
        [100, 10_000, 40],
      ] as const) {
        const found: LimitEstimate[] = [];
        for (let seed = 1; seed <= 8; seed += 1)
          found.push(estimate(await observe({ kind, quota, windowMs, travelMs, seed, ...random(2) })));
        const without = found.filter(
          ({ quota: q, windowMs: w, kind: k }) => k === 'alternating' && q === undefined && w === undefined,
        );
        expect([kind, quota, without.length >= 4]).toEqual([kind, quota, true]);
        wrong.push(...found.filter((one) => !without.includes(one) && !isNear(one.windowMs?.value, windowMs)));
      }
    }
    expect(wrong.length).toBeLessThanOrEqual(12); // of 48
  });

  test('are never called honest where a refusal goes on after a success', async () => {
    let alternating = 0;
    for (const kind of ['from-first', 'on-clock', 'sliding', 'bucket'] as const) {
      for (let seed = 1; seed <= 20; seed += 1) {
        const limiter = { kind, quota: 20, windowMs: 1000, travelMs: 5, seed, ...random(2) };
        const { windows } = await observe(limiter, 6, 50);
        if (!alternates(windows)) continue;
        alternating += 1;
        expect([kind, seed, judgeHonesty(windows).verdict]).not.toEqual([kind, seed, 'honest']);
      }
    }
    expect(alternating).toBeGreaterThan(20);
  });

  test('are one limit to a client where all are used up at once', async () => {
    const found = estimate(await observe({ kind: 'from-first', nodes: 2 }));
    expect(found).toMatchObject({ quota: { value: 400 }, kind: 'fixed window, from its first request' });
  });

  test('are not seen in one counter, whatever it states', async () => {
    for (const kind of ['from-first', 'on-clock', 'sliding', 'bucket'] as const) {
      for (const says of [
        (ms: number) => ms,
        (ms: number) => 20 * ms,
        (_ms: number, _now: number, fullMs: number) => Math.ceil(fullMs),
      ]) {
        for (let seed = 1; seed <= 8; seed += 1) {
          const limiter = {
            kind,
            says,
            seed,
            quota: 3 + 7 * seed ** 2,
            windowMs: 300 * 2 ** seed,
            travelMs: 10 * seed,
          };
          const { windows } = await observe(limiter, 6, 100 * seed);
          expect([kind, seed, alternates(windows)]).toEqual([kind, seed, false]);
        }
      }
    }
  });
});

describe('retryAfterMs', () => {
  test('is never called a lie where it states when the whole quota is free', async () => {
    for (const kind of ['bucket', 'sliding'] as const) {
      for (const [quota, windowMs, travelMs, seed] of [
        [100, 2000, 3, 1],
        [20, 500, 1, 2],
        [60, 60_000, 40, 3],
        [400, 3000, 3, 4],
        [50, 4000, 150, 5],
        [5, 10_000, 10, 6],
      ] as const) {
        const says: SimulatedLimiter['says'] = (_ms, _now, fullMs) => Math.ceil(fullMs);
        for (const writesMs of [0, 300]) {
          const observed = await observe({ kind, quota, windowMs, travelMs, seed, says }, 6, writesMs);
          expect([kind, quota, judgeHonesty(observed.windows).verdict]).not.toEqual([kind, quota, 'dishonest']);
          const found = estimate(observed);
          if (found.kind !== 'sliding window') continue;
          expect([quota, Math.abs((found.windowMs?.value ?? 0) / windowMs - 1) < 0.25]).toEqual([quota, true]);
        }
      }
    }
  });

  test('that is too long is called late, however long it is, and the limit is still measured', async () => {
    for (const [kind, quota, windowMs, lateMs] of [
      ['from-first', 100, 2000, 4000],
      ['from-first', 60, 60_000, 60_000],
      ['from-first', 100, 10_000, 4000],
      ['on-clock', 100, 2000, 60_000],
      ['on-clock', 400, 3000, 4000],
      ['sliding', 100, 2000, 60_000],
      ['sliding', 20, 500, 4000],
    ] as const) {
      const observed = await observe({ kind, quota, windowMs, says: (ms) => ms + lateMs });
      const { verdict, lie } = judgeHonesty(observed.windows);
      const found = estimate(observed);
      expect([kind, windowMs, verdict, lie.kind]).toEqual([kind, windowMs, 'dishonest', 'late']);
      if (lie.kind === 'late') expect(Math.abs(lie.byMs / lateMs - 1)).toBeLessThan(0.3);
      expect(found.quota?.value).toBe(quota);
      expect(found.windowMs?.low).toBeLessThanOrEqual(windowMs);
      expect(1.1 * (found.windowMs?.high ?? 0)).toBeGreaterThanOrEqual(windowMs);
    }
  });

  test('is never called a lie in a hundred honest windows, of any kind', async () => {
    let judged = 0;
    for (const kind of ['from-first', 'on-clock', 'sliding', 'bucket'] as const) {
      for (const [seed, travelMs, says] of [
        [1, 0, (ms: number) => ms],
        [2, 5, (ms: number) => Math.ceil(ms)],
        [3, 80, (ms: number) => Math.round(ms)],
        [4, 20, (ms: number) => ms + 0.375],
        [5, 10, (ms: number) => Math.ceil(ms / 1000) * 1000],
      ] as const) {
        const { windows } = await observe({ kind, seed, travelMs, says, windowMs: 500 + 700 * seed }, 6);
        judged += windows.length;
        expect([kind, seed, judgeHonesty(windows).verdict]).not.toEqual([kind, seed, 'dishonest']);
      }
    }
    expect(judged).toBeGreaterThan(100);
  });

  test('is no lie where another request of the load took the token that a client waited for', async () => {
    for (const [quota, windowMs] of [
      [200, 30_000],
      [70, 10_000],
      [50, 5000],
    ] as const) {
      for (let seed = 1; seed <= 8; seed += 1) {
        const { windows } = await observe({ kind: 'bucket', quota, windowMs, travelMs: 3 * seed, seed }, 6, 150, 1);
        expect([quota, seed, judgeHonesty(windows).verdict]).not.toEqual([quota, seed, 'dishonest']);
      }
    }
  });

  test('is no lie where a request that failed took the token that a client waited for', async () => {
    for (const kind of ['bucket', 'sliding', 'from-first', 'on-clock'] as const) {
      for (const [quota, windowMs] of [
        [200, 30_000],
        [70, 10_000],
        [50, 5000],
        [20, 10_000],
      ] as const) {
        for (let seed = 1; seed <= 20; seed += 1) {
          const { windows } = await observe({ kind, quota, windowMs, seed, failing: 0.1 }, 6, 30);
          expect([kind, quota, seed, judgeHonesty(windows).verdict]).not.toEqual([kind, quota, seed, 'dishonest']);
        }
      }
    }
  });

  test('of a bucket that is between the next request and all of them is an observation: how early one is accepted', async () => {
    const { windows } = await observe({ kind: 'bucket', windowMs: 30_000, says: (ms) => 20 * ms });
    const honesty = judgeHonesty(windows);
    expect(honesty).toMatchObject({ verdict: 'unclear', doubt: 'gradual' });
    expect(honestyFacts(honesty)[0]?.value).toMatch(
      /^in \d of 5 windows a request is accepted early, after 2\d% of the stated wait$/,
    );
  });

  test('is not called the truth where a lie of a fifth would not have shown', async () => {
    const { windows } = await observe({ says: (ms) => Math.ceil(ms / 1000) * 1000 });
    expect(judgeHonesty(windows)).toMatchObject({ verdict: 'unclear', doubt: 'coarse' });
  });

  test('that is rounded down to seconds is a lie: a client that waits is refused again', async () => {
    const { windows } = await observe({ quota: 50, windowMs: 12_500, says: (ms) => Math.floor(ms / 1000) * 1000 });
    const { verdict, refusedAfter, acceptedAfter } = judgeHonesty(windows);
    expect([verdict, refusedAfter > acceptedAfter]).toEqual(['dishonest', true]);
  });

  test('that is longer than any client waits shows no acceptance after a wait', async () => {
    const { windows } = await observe({ says: () => 1e15 });
    expect(judgeHonesty(windows)).toMatchObject({ refusedAfter: 0, acceptedAfter: 0 });
  });

  test('that no refusal states is not judged, and the reason says so', async () => {
    const { windows } = await observe({ says: () => Number.NaN });
    const unstated = windows.map((window) => ({
      ...window,
      refused: window.refused.map((sample) => ({ ...sample, retryAfterMs: undefined })),
    }));
    expect(judgeHonesty(unstated)).toMatchObject({ verdict: 'unclear', doubt: 'unstated' });
  });

  test('that varies at random above the truth is scattered, not late', async () => {
    const says = (ms: number, now: number) => ms + ((Math.floor(now) * 1777) % 1000);
    const { verdict, lie } = judgeHonesty((await observe({ says })).windows);
    expect([verdict, lie.kind]).toEqual(['dishonest', 'scattered']);
  });

  test('is called honest where there was enough to see', async () => {
    expect(judgeHonesty((await observe({})).windows)).toMatchObject({
      verdict: 'honest',
      refusedAfter: 0,
      acceptedAfter: 5,
    });
  });

  test.each<readonly [string, SimulatedLimiter['says'], object]>([
    ['seconds', (ms) => Math.ceil(ms / 1000), { kind: 'seconds' }],
    ['constant', () => 2000, { kind: 'constant', retryAfterMs: 2000 }],
    ['half', (ms) => Math.ceil(ms / 2), { kind: 'scaled', factor: expect.closeTo(0.5, 1) }],
    ['a fifth more', (ms) => Math.ceil(ms * 1.2), { kind: 'scaled', factor: expect.closeTo(1.2, 1) }],
    ['a fifth less', (ms) => Math.ceil(ms * 0.8), { kind: 'scaled', factor: expect.closeTo(0.8, 1) }],
    ['scattered', (ms, now) => ms + ((Math.floor(now) * 1777) % 4000), { kind: 'scattered' }],
    ['counting up', (ms) => 2000 - ms, { kind: 'rising' }],
    ['another constant', () => 100, { kind: 'constant', retryAfterMs: 100 }],
  ])('%s is called what it is', async (_name, says, lie) => {
    for (const [kind, windowMs, travelMs] of [
      ['from-first', 2000, 3],
      ['on-clock', 2000, 3],
      ['from-first', 10_000, 30],
    ] as const) {
      const scale = windowMs / 2000;
      const { windows } = await observe({
        kind,
        windowMs,
        travelMs,
        says: (ms, now, fullMs) => says(ms / scale, now, fullMs / scale) * scale,
      });
      const { verdict, lie: found } = judgeHonesty(windows);
      expect(verdict).toBe('dishonest');
      if (scale === 1) expect(found).toMatchObject(lie);
    }
  });
});
