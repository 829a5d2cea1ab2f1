import { expect, test } from 'vitest';
import { Api } from '../../engine/api.ts';
import { type Clock, virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { waitingFailed } from './quiet-wait.ts';
import { recordRateLimit } from './record-rate-limit.ts';
import { exhaust, listingProbe } from './rate-probe.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { createSession } from '../../engine/session/session.ts';
import { sideEffects, type Target } from '../../core/target.ts';

const admin = { name: 'alice', key: 'k', variable: '$KEY', adminOf: ['org'] };

const target: Target = {
  name: 'limited',
  baseUrl: 'http://limited.invalid',
  principals: [admin],
  organizations: [],
  billingAccounts: [],
  assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 10 },
  limits: { maxRequestsPerSecond: Number.POSITIVE_INFINITY, toleranceMs: 750, rateProbeRequests: 3000 },
  allow: new Set(sideEffects),
};

/** Asked at every request: undefined lets it pass, a number refuses it for so many milliseconds. */
type Limiter = (now: number) => number | undefined;

function fixed(quota: number, windowMs: number, asked: (leftMs: number, now: number) => number = Math.ceil): Limiter {
  let startedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (now) => {
    if (now >= startedAt + windowMs) [startedAt, used] = [now, 0];
    if (used >= quota) return asked(startedAt + windowMs - now, now);
    used += 1;
    return undefined;
  };
}

function bucket(capacity: number, perSecond: number): Limiter {
  let [tokens, at] = [capacity, 0];
  return (now) => {
    tokens = Math.min(capacity, tokens + ((now - at) / 1000) * perSecond);
    at = now;
    if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000);
    tokens -= 1;
    return undefined;
  };
}

function log(quota: number, windowMs: number, countsRefused: boolean): Limiter {
  let times: number[] = [];
  return (now) => {
    times = times.filter((time) => time > now - windowMs);
    const full = times.length >= quota;
    if (!full || countsRefused) times.push(now);
    return full ? Math.ceil((times.at(-quota) ?? now) + windowMs - now) : undefined;
  };
}

function penalty(quota: number, windowMs: number, penaltyMs: number): Limiter {
  const inner = fixed(quota, windowMs);
  let until = 0;
  return (now) => {
    if (now >= until && inner(now) === undefined) return undefined;
    until = now + penaltyMs;
    return penaltyMs;
  };
}

/** Each first refusal of a window makes it longer, and does not say so. */
function longerThanAnnouncedFirst(quota: number, windowMs: number, moreMs: number): Limiter {
  let endAt = 0;
  let asked = 0;
  return (now) => {
    if (now >= endAt) [endAt, asked] = [now + windowMs, 0];
    asked += 1;
    const leftMs = endAt - now;
    if (asked === quota + 1) endAt += moreMs;
    return asked > quota ? leftMs : undefined;
  };
}

/** Who uses a quota up is refused for some more time. Meanwhile windows follow one another. */
function shuttingOut(quota: number, windowMs: number, moreMs: number): Limiter {
  let [startedAt, used, until] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (now) => {
    if (now >= startedAt + windowMs) [startedAt, used] = [now, 0];
    used += 1;
    if (used > quota && now >= until) until = startedAt + windowMs + moreMs;
    return now < until ? Math.ceil(startedAt + windowMs - now) : undefined;
  };
}

/** The first request after a window that was used up is refused for the length of the next one. */
function refusingOnceMore(quota: number, windowMs: number): Limiter {
  let [window, used, owes] = [0, 0, false];
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) [window, used, owes] = [current, 0, used > quota];
    used += 1;
    const isOwed = owes;
    owes = false;
    return isOwed || used > quota ? Math.ceil((current + 1) * windowMs - now) : undefined;
  };
}

/** Other clients use two of four windows up at once. */
function sharedInTurn(quota: number, windowMs: number): Limiter {
  let [window, used] = [0, 0];
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) [window, used] = [current, current % 4 < 2 ? 0 : quota];
    used += 1;
    return used > quota ? Math.ceil((current + 1) * windowMs - now) : undefined;
  };
}

/** Each refusal postpones the end of the window. */
function postponing(quota: number, windowMs: number, moreMs: number): Limiter {
  let [endAt, asked] = [0, 0];
  return (now) => {
    if (now >= endAt) [endAt, asked] = [now + windowMs, 0];
    asked += 1;
    if (asked <= quota) return undefined;
    endAt += moreMs;
    return endAt - now;
  };
}

function inTurn(...limiters: readonly Limiter[]): Limiter {
  let turn = 0;
  return (now) => {
    turn += 1;
    return limiters[turn % limiters.length]?.(now);
  };
}

/** A way takes that many milliseconds, or others for each request. */
type Travel = number | ((turn: number) => readonly [there: number, back: number]);

function limitedBy(limiter: Limiter, clock: Clock, travel: Travel, status = 429): Deployment {
  let turn = 0;
  return async () => {
    turn += 1;
    const [there, back] = typeof travel === 'number' ? [travel / 2, travel / 2] : travel(turn);
    await clock.sleep(there);
    const retryAfterMs = limiter(clock.now());
    await clock.sleep(back);
    const refused = { error: { title: 'RateLimitExceeded', detail: 'Too many requests.', retryAfterMs } };
    const body = retryAfterMs === undefined ? { data: [] } : refused;
    return { status: retryAfterMs === undefined ? 200 : status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  };
}

async function verdictsOn(limiter: Limiter, travelMs: Travel = 4, status = 429) {
  const clock = virtualClock();
  const deployment = limitedBy(limiter, clock, travelMs, status);
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const probe = listingProbe(new Api(session, 'probe'), admin);
  const { resets, waits, wrongEnds, earlyEnd } = await recordRateLimit(probe, async () => {});
  const honest = typeof waits === 'string' ? waits : !waitingFailed(waits);
  const after = await unlessBlocked(probe.send);
  const isEarly = earlyEnd !== undefined;
  return { resets: resets.kind, honest, after: after?.status, wrongEnds: wrongEnds?.length, isEarly };
}

const tooShort: readonly (readonly [string, (ms: number) => number])[] = [
  ['half of it', (ms) => ms / 2],
  ['four fifths of it', (ms) => 0.8 * ms],
  ['a second less', (ms) => Math.max(0, ms - 1000)],
];
const ways = [2, 12].flatMap((travelMs) => [3000, 10_000].map((windowMs) => [travelMs, windowMs] as const));

test.each(ways.flatMap((way) => tooShort.map(([name, asked]) => [name, ...way, asked] as const)))(
  'a wait of %s is not honest, over a way of %i ms and in a window of %i ms',
  async (_name, travelMs, windowMs, asked) => {
    const { resets, honest } = await verdictsOn(fixed(200, windowMs, asked), travelMs);
    expect({ resets, honest }).not.toEqual({ resets: 'agreed', honest: true });
  },
);

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000) * 1000;

test.each<[string, Limiter, number?]>([
  ['a fixed window', fixed(400, 2000)],
  ['a fixed window of 20 a second', fixed(20, 1000)],
  ['a fixed window of a minute', fixed(500, 60_000)],
  ['a fixed window far away', fixed(100, 5000), 200],
  ['whole seconds', fixed(100, 4000, wholeSeconds)],
  ['a margin on top', fixed(100, 3000, (ms) => ms + 500)],
  ['jitter on top', fixed(100, 3000, (ms, now) => ms + (Math.floor(now * 7.3) % 200))],
  ['a log', log(300, 2000, false)],
  ['a log that counts the refused', log(100, 5000, true)],
  ['a penalty that every refusal renews', penalty(50, 1000, 700)],
  ['40 ms more for each refusal, as announced', postponing(350, 2500, 40)],
  ['two servers in turn', inTurn(fixed(100, 3000), fixed(100, 3000))],
])('%s is legal, and is seen to be honest', async (_name, limiter, travelMs) => {
  expect(await verdictsOn(limiter, travelMs)).toEqual({ resets: 'agreed', honest: true, after: 200, isEarly: false });
});

test.each([4000, 5000, 60_000])('%i ms too many are shown in a window of 3 s', async (moreMs) => {
  expect(await verdictsOn(fixed(260, 3000, (ms) => ms + moreMs))).toMatchObject({ isEarly: true });
});

const perSecond = [0.1, 0.5, 1, 2, 3, 4, 5, 7, 10, 50, 200];
const travels = [4, 20, 50, 120, 200];

test.each(perSecond.flatMap((refill) => travels.map((travelMs) => [refill, travelMs] as const)))(
  'a bucket that refills by %d a second, %d ms away, is legal, and is seen to be honest',
  async (refill, travelMs) => {
    expect(await verdictsOn(bucket(50, refill), travelMs)).toMatchObject({ resets: 'agreed', honest: true });
  },
);

test('a bucket that asks for more than the longest wait is not confirmed', async () => {
  const inner = bucket(50, 100);
  const limiter: Limiter = (now) => (inner(now) === undefined ? undefined : 2345);
  expect(await verdictsOn(limiter)).toMatchObject({ resets: 'too-short' });
});

test.each<[string, Limiter]>([
  ['seconds', fixed(400, 2000, (ms) => Math.ceil(ms / 1000))],
  ['half', fixed(400, 2000, (ms) => Math.ceil(ms / 2))],
  ['a constant much too small', fixed(100, 5000, () => 100)],
])('%s is no honest wait, and contradicts itself', async (_name, limiter) => {
  expect(await verdictsOn(limiter)).toMatchObject({ resets: 'contradicted', honest: false });
});

test.each([2, 20])(
  'a first refusal that alone announces too little is shown, over a way of %i ms',
  async (travelMs) => {
    expect(await verdictsOn(longerThanAnnouncedFirst(200, 2000, 3000), travelMs)).toMatchObject({ wrongEnds: 3 });
  },
);

test.each([2000, 4000])(
  'who is refused for three seconds more than windows of %i ms announce is shown',
  async (windowMs) => {
    expect(await verdictsOn(shuttingOut(200, windowMs, 3000))).toMatchObject({ wrongEnds: 3 });
  },
);

test.each([3000, 5000])('who is refused once more after each window of %i ms is shown', async (windowMs) => {
  expect(await verdictsOn(refusingOnceMore(200, windowMs))).toMatchObject({ wrongEnds: 3 });
});

test.each([6, 7, 8, 9])('a quota of %i, whose end each refusal postpones, is not accused', async (quota) => {
  for (const limiter of [penalty(quota, 10_000, 5000), postponing(quota, 5000, 300), postponing(quota, 3000, 150)])
    expect(await verdictsOn(limiter)).toMatchObject({ wrongEnds: undefined, isEarly: false });
});

test('several nodes with windows of minutes, which count apart, are not accused', async () => {
  const node = (offsetMs: number): Limiter => {
    let [window, used] = [0, 0];
    return (now) => {
      const current = Math.floor((now - offsetMs) / 240_000);
      if (current !== window) [window, used] = [current, 0];
      used += 1;
      return used > 40 ? Math.ceil((current + 1) * 240_000 + offsetMs - now) : undefined;
    };
  };
  const nodes = [202_546, 211_828, 126_250, 37_924].map(node);
  const atRandom: Limiter = (now) => nodes[Math.floor(Math.abs(Math.sin(now * 12.9898) * 43_758.5453)) % 4]?.(now);
  expect(await verdictsOn(atRandom)).toMatchObject({ isEarly: false });
});

test('a window that turns endless and cannot be used up again keeps what it showed', async () => {
  const asked = (leftMs: number) => (leftMs < 900 ? 2 ** 32 : Math.ceil(leftMs));
  for (const quota of [1400, 2000, 2600])
    expect(await verdictsOn(fixed(quota, 10_000, asked))).toMatchObject({ honest: true });
});

test.each([1000, 2000, 4000])('windows of %i ms that others use up in turn are not accused', async (windowMs) => {
  expect(await verdictsOn(sharedInTurn(200, windowMs))).toMatchObject({ wrongEnds: undefined });
});

const little = [100, 250].flatMap((askedMs) =>
  [2400, 2600, 3000, 3200].map((windowMs) => [askedMs, windowMs] as const),
);

// After a pause, little may be left of such a window.
test.each(little)('%i ms is no honest wait in a window of %i ms', async (askedMs, windowMs) => {
  for (const travelMs of [4, 40, 100]) {
    const limiter = fixed(100, windowMs, () => askedMs);
    expect({ ...(await verdictsOn(limiter, travelMs)), travelMs }).toMatchObject({ honest: false });
  }
});

test('a wait of a minute that helped in two windows is not waited for in a third one', async () => {
  const inner = penalty(100, 60_000, 60_000);
  const asked: number[] = [];
  const limiter: Limiter = (now) => {
    asked.push(now);
    return inner(now);
  };
  expect(await verdictsOn(limiter)).toMatchObject({ resets: 'agreed', honest: true });
  expect((asked.at(-1) ?? 0) - (asked[0] ?? 0)).toBeLessThan(4 * 60_000);
});

test('seconds rounded down end in no wait at all', async () => {
  const limiter = fixed(400, 5400, (ms) => Math.floor(ms / 1000) * 1000);
  expect(await verdictsOn(limiter)).toMatchObject({ honest: false });
});

test.each([
  ['0', () => 0],
  ['1 ms', () => 1],
])('%s near the end of a window is no honest wait', async (_name, near) => {
  const asked = (leftMs: number) => (leftMs < 900 ? near() : Math.ceil(leftMs));
  for (const windowMs of [3000, 10_000, 60_000])
    expect(await verdictsOn(fixed(400, windowMs, asked))).toMatchObject({ honest: false });
});

test.each([2000, 3000, 20_000])(
  'a wait near the end of a window of %i ms that wraps around is shown by what passes then',
  async (windowMs) => {
    const asked = (leftMs: number) => (leftMs < 900 ? 2 ** 32 - Math.ceil(900 - leftMs) : Math.ceil(leftMs));
    expect(await verdictsOn(fixed(400, windowMs, asked))).toMatchObject({ isEarly: true, after: 200 });
  },
);

test('one window that turns endless, as a server that takes over may make it, is no contradiction', async () => {
  let only: number | undefined;
  const asked = (leftMs: number, now: number) => {
    if (leftMs < 900) only ??= now + leftMs;
    return leftMs < 900 && now + leftMs === only ? 2 ** 32 : Math.ceil(leftMs);
  };
  expect(await verdictsOn(fixed(400, 3000, asked))).toMatchObject({ isEarly: false });
});

test.each<[string, Limiter]>([
  ['20% too much', fixed(400, 2000, (ms) => Math.ceil(1.2 * ms))],
  ['ten times too much', fixed(400, 2000, (ms) => 10 * ms)],
  ['the length of the window', fixed(400, 2000, () => 2000)],
  ['a constant below the window', fixed(400, 2000, () => 1000)],
  ['a constant far above the window', fixed(400, 2000, () => 60_000)],
  ['the instant of the reset', fixed(400, 2000, (ms, now) => now + ms)],
  ['the age of the window', fixed(400, 2000, (ms) => 2000 - ms)],
  ['anything', fixed(400, 2000, (_ms, now) => Math.floor(now * 977.7) % 2000)],
])('%s contradicts itself', async (_name, limiter) => {
  expect(await verdictsOn(limiter)).toMatchObject({ resets: 'contradicted' });
});

test('no limit within the budget is blocked, with what would help', async () => {
  await expect(verdictsOn(() => undefined)).rejects.toThrow(/raise limits.rateProbeRequests/);
});

test('what is refused with another status than 429 is named where no limit is met', async () => {
  await expect(verdictsOn(fixed(60, 60_000), 4, 403)).rejects.toThrow(/: 60 were answered 200, \d+ were answered 403$/);
});

/** An overloaded machine: most requests are quick, and some wait for up to that many milliseconds on their way there or back. */
function overloaded(mostMs: number, seed: number): Travel {
  const delay = (turn: number): number => {
    const share = Math.abs(Math.sin(seed * 1000 + turn * 12.9898) * 43_758.5453) % 1;
    return 1 + mostMs * share ** 3;
  };
  return (turn) => [delay(2 * turn), delay(2 * turn + 1)];
}

/** Windows that a timer ends, which comes late by up to that many milliseconds. */
function ticking(quota: number, windowMs: number, latestMs: number, seed: number, asked: (leftMs: number) => number) {
  let [endsAt, plannedAt, used, count] = [0, 0, 0, 77 * seed];
  return (now: number): number | undefined => {
    while (now >= endsAt) {
      [used, count] = [0, count + 1];
      plannedAt = Math.max(endsAt + windowMs, now - windowMs);
      endsAt = plannedAt + latestMs * (Math.abs(Math.sin(count * 12.9898) * 43_758.5453) % 1);
    }
    used += 1;
    return used > quota ? asked(Math.max(0, Math.ceil(plannedAt - now))) : undefined;
  };
}

test('of thousands of refusals in one burst, the first ones and the latest are kept', async () => {
  const clock = virtualClock();
  const session = createSession({
    deployment: limitedBy(fixed(20, 60_000), clock, 10),
    target: { ...target, limits: { ...target.limits, rateProbeRequests: 10_000 } },
    clock,
    seed: 1,
    invariants: [],
  });
  const startedAt = clock.now();
  const probe = listingProbe(new Api(session, 'check'), admin);
  const { limited, passed } = await exhaust(probe, () => clock.sleep(5000));
  expect([passed, limited.length]).toEqual([20, 500]);
  expect(limited[0]?.exchange.sentAt).toBeLessThan(startedAt + 100);
  for (const late of limited.slice(-10)) expect(late.exchange.sentAt).toBeGreaterThan(startedAt + 4900);
});

const brief = [20, 50, 100].flatMap((windowMs) =>
  [1, 5, 20].flatMap((quota) => [windowMs, 2 * windowMs].map((lateMs) => [windowMs, quota, lateMs] as const)),
);

test.each(brief)(
  'a window of %i ms for %i requests, which a timer ends up to %i ms late, is not accused on an overloaded machine',
  async (windowMs, quota, lateMs) => {
    for (const seed of [1, 2, 3, 4]) {
      for (const asked of [(leftMs: number) => leftMs, () => windowMs]) {
        const limiter = ticking(quota, windowMs, lateMs, seed, asked);
        const seen = await verdictsOn(limiter, seed % 2 === 0 ? 4 : overloaded(100, seed));
        expect({ ...seen, seed, asked }).not.toMatchObject({ resets: 'contradicted' });
        expect({ ...seen, seed, asked }).not.toMatchObject({ honest: false });
      }
    }
  },
);
