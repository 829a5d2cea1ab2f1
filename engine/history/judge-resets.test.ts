import { expect, test } from 'vitest';
import type { Refusal } from '../../core/implied-resets.ts';
import { areBorneOut, judgeResets, type Streak } from './judge-resets.ts';

const start = 1_000_000;

type Shown = {
  /** The `retryAfterMs` of an answer so many milliseconds after the start. */
  readonly shows: (ms: number, index: number) => number;
  readonly forMs: number;
  readonly everyMs?: number;
  /** The milliseconds at which is asked, instead of every so many. */
  readonly moments?: readonly number[];
  /** Milliseconds that a request takes; the decision falls somewhere in it. */
  readonly travelMs?: (index: number) => readonly [to: number, back: number];
  readonly acceptedAt?: number;
  readonly waitingFailed?: boolean;
};

function streakOf(shown: Shown): Streak {
  const { shows, forMs, everyMs = forMs / 15, travelMs = () => [2, 2] as const } = shown;
  const { moments = Array.from({ length: Math.floor(forMs / everyMs) + 1 }, (_, index) => index * everyMs) } = shown;
  const refusals: Refusal[] = [];
  for (const ms of moments) {
    const [to, back] = travelMs(refusals.length);
    const retryAfterMs = shows(ms + to, refusals.length);
    refusals.push({ sentAt: start + ms, receivedAt: start + ms + to + back, retryAfterMs });
  }
  const { acceptedAt, waitingFailed = false } = shown;
  return { refusals, acceptedAt: acceptedAt === undefined ? undefined : start + acceptedAt, waitingFailed };
}

const uneven = (index: number) => [5 + ((index * 37) % 60), 5 + ((index * 53) % 90)] as const;
const growing = Array.from({ length: 17 }, (_, index) => 25 * 1.25 ** index);
const slowing = Array.from({ length: 40 }, (_, index) => index ** 2);
const left = (windowMs: number) => (ms: number) => Math.ceil(windowMs - ms);

test.each<[string, Shown]>([
  ['a fixed window', { shows: left(1900), forMs: 950, acceptedAt: 1950 }],
  ['a fixed window of a minute', { shows: left(60_000), forMs: 29_000, acceptedAt: 60_100 }],
  ['a fixed window over a slow network', { shows: left(1900), forMs: 950, travelMs: uneven, acceptedAt: 1950 }],
  ['a short window over a slow network', { shows: left(900), forMs: 450, travelMs: uneven, acceptedAt: 950 }],
  ['fractions', { shows: (ms) => 1900.25 - ms * 1.0001, forMs: 950, acceptedAt: 1950 }],
  ['a fixed margin on top', { shows: (ms) => 1900 - ms + 700, forMs: 950, acceptedAt: 1901 }],
  ['some jitter on top', { shows: (ms, index) => 1900 - ms + ((index * 67) % 190), forMs: 950, acceptedAt: 1950 }],
  ['a bucket: time to the next token', { shows: left(400), forMs: 380, everyMs: 40, acceptedAt: 405 }],
  ['whole seconds, rounded up', { shows: (ms) => 1000 * Math.ceil((1900 - ms) / 1000), forMs: 1850, acceptedAt: 1905 }],
  ['whole seconds over a minute', { shows: (ms) => 1000 * Math.ceil((60_000 - ms) / 1000), forMs: 30_000 }],
  ['two servers in turn', { shows: (ms, index) => (index % 2 === 0 ? 1900 : 1100) - ms, forMs: 950, acceptedAt: 1110 }],
  ['a server that takes over', { shows: (ms) => (ms < 430 ? 1900 : 1200) - ms, forMs: 950, acceptedAt: 1210 }],
  ['one that takes over late', { shows: (ms) => (ms < 430 ? 1200 : 1900) - ms, forMs: 950, acceptedAt: 1210 }],
  ['five servers', { shows: (ms, index) => 1900 - 250 * ((index * 3) % 5) - ms, forMs: 800, acceptedAt: 910 }],
  ['a penalty that every refusal renews', { shows: () => 700, forMs: 2100, acceptedAt: 2805 }],
  ['a log that counts the refused', { shows: (ms) => Math.ceil(1000 - 0.75 * ms), forMs: 900, acceptedAt: 1300 }],
  ['a bucket that others drain', { shows: (ms) => 50 - (ms % 50), forMs: 900, everyMs: 33, acceptedAt: 930 }],
  [
    'a slow clock that is set once',
    { shows: (ms, index) => 1900 - 0.85 * ms + (index < 10 ? 0 : 20), forMs: 950, acceptedAt: 1700 },
  ],
  [
    'a penalty of 100 ms for each refusal',
    { shows: (ms, index) => 1900 - ms + 100 * index, forMs: 950, everyMs: 50, acceptedAt: 3850 },
  ],
  [
    'a penalty for every tenth refusal',
    { shows: (ms, index) => 1900 - ms + 300 * Math.floor(index / 10), forMs: 950, everyMs: 50, acceptedAt: 1950 },
  ],
  [
    'a penalty of 40 ms for each of many refusals, most of which come at first',
    { shows: (ms, index) => 1900 - ms + 40 * index, forMs: 1500, moments: slowing, acceptedAt: 3500 },
  ],
  [
    'many servers whose windows ended one after the other',
    { shows: (ms, index) => 1900 + 200 * (index % 10) - ms, forMs: 950, acceptedAt: 1950 },
  ],
  ['a window that others fill again', { shows: (ms) => 500 - (ms % 500), forMs: 950, acceptedAt: 1003 }],
])('%s agrees with itself', (_name, shown) => {
  expect(judgeResets(streakOf(shown), 750)).toEqual({ kind: 'agreed' });
});

test.each<[string, Shown, RegExp]>([
  ['20% too much', { shows: (ms) => Math.ceil(1.2 * (1900 - ms)), forMs: 950 }, /faster than time/],
  ['20% too much over a slow network', { shows: (ms) => 1.2 * (9500 - ms), forMs: 4800, travelMs: uneven }, /faster/],
  ['20% too much of a minute', { shows: (ms) => 1.2 * (60_000 - ms), forMs: 30_000 }, /faster than time/],
  ['twice as much', { shows: (ms) => 2 * (1900 - ms), forMs: 1800 }, /faster than time/],
  ['half', { shows: (ms) => Math.ceil((1900 - ms) / 2), forMs: 950, waitingFailed: true }, /waiting does not help/],
  [
    'seconds',
    { shows: (ms) => Math.ceil((1900 - ms) / 1000), forMs: 400, waitingFailed: true },
    /waiting does not help/,
  ],
  ['the length of the window', { shows: () => 2000, forMs: 1900, acceptedAt: 1950 }, /passed long before/],
  ['a constant below the window', { shows: () => 1000, forMs: 1900, acceptedAt: 1950 }, /passed long before/],
  ['a constant of half a second', { shows: () => 500, forMs: 900, acceptedAt: 950 }, /passed long before/],
  [
    'half a second more with each refusal, asked at growing pauses',
    { shows: (_ms, index) => 66_000 + 500 * index, forMs: 1500, everyMs: 100, moments: growing, acceptedAt: 1750 },
    /passed long before/,
  ],
  [
    '100 ms more with each refusal, asked at growing pauses',
    { shows: (ms, index) => 3000 - ms + 100 * index, forMs: 1500, moments: growing, acceptedAt: 3050 },
    /passed long before/,
  ],
  [
    '40 ms more with each of many refusals, most of which come at first',
    { shows: (ms, index) => 1900 - ms + 40 * index, forMs: 1500, moments: slowing, acceptedAt: 1950 },
    /passed long before/,
  ],
  [
    'half a second more with each refusal, of which the first ones overlap and are decided in reverse',
    {
      shows: (_ms, index) => 66_000 + 500 * (index < 4 ? 3 - index : index),
      forMs: 1500,
      moments: growing,
      travelMs: (index) => (index < 4 ? [60, 5] : [2, 2]),
      acceptedAt: 1750,
    },
    /passed long before/,
  ],
  ['an instant for a time', { shows: (ms) => 1.7e12 + ms, forMs: 1900, acceptedAt: 1950 }, /passed long before/],
  ['time since for time until', { shows: (ms) => ms, forMs: 1900, waitingFailed: true }, /waiting does not help/],
  [
    'what is left, by more or less',
    { shows: (ms, index) => (1900 - ms) * (0.6 + ((index * 37) % 100) / 100), forMs: 950 },
    /jumps/,
  ],
  ['anything', { shows: (ms, index) => 1900 - ms + ((index * 1777) % 4000), forMs: 1800 }, /jumps/],
])('%s contradicts itself', (_name, shown, how) => {
  const verdict = judgeResets(streakOf(shown), 750);
  expect(verdict).toMatchObject({ kind: 'contradicted', how: expect.stringMatching(how) });
});

test.each<[string, Shown]>([
  ['few refusals', { shows: left(2000), forMs: 1500, everyMs: 500 }],
  ['whole seconds over a window of one', { shows: () => 1000, forMs: 950, acceptedAt: 990 }],
  ['a moment', { shows: left(120), forMs: 100, everyMs: 10 }],
])('%s says nothing', (_name, shown) => {
  expect(judgeResets(streakOf(shown), 750).kind).toBe('too-short');
});

test('no refusal says nothing', () => {
  expect(judgeResets({ refusals: [], acceptedAt: undefined, waitingFailed: false }, 750).kind).toBe('too-short');
});

/** A token comes free every 50 ms; between two of them four requests are refused, and the next one passes. */
function cycles(shows: (leftMs: number) => number, count = 3) {
  const at = (ms: number) => ({ sentAt: start + ms, receivedAt: start + ms + 4 });
  const turns = Array.from({ length: count }, (_, index) => index * 50);
  return {
    refusals: turns.flatMap((turn) =>
      [1, 11, 21, 31].map((ms) => ({ ...at(turn + ms), retryAfterMs: shows(48 - ms) })),
    ),
    passed: turns.map((turn) => at(turn + 50)),
  };
}

test.each<[string, boolean, ReturnType<typeof cycles>]>([
  ['the time to the next token', true, cycles((leftMs) => leftMs)],
  ['whole seconds, rounded up', true, cycles((leftMs) => 1000 * Math.ceil(leftMs / 1000))],
  ['a constant of four tokens', false, cycles(() => 201)],
  ['the time until the bucket is full', false, cycles((leftMs) => 1925 + leftMs)],
  ['too few refusals', false, cycles((leftMs) => leftMs, 1)],
  ['nothing that passed', false, { ...cycles((leftMs) => leftMs), passed: [] }],
])('a bucket that shows %s is borne out: %s', (_name, holds, { refusals, passed }) => {
  expect(areBorneOut(refusals, passed)).toBe(holds);
});
