import { expect, test } from 'vitest';
import type { LimitEstimate } from './limit-estimate.ts';
import type { Honesty } from './judge-honesty.ts';
import { honestyFacts, limitFacts, limitHeadline } from './limit-facts.ts';

const exactly = (value: number) => ({ value, low: value, high: value });
const estimate: LimitEstimate = { quota: exactly(400), windowMs: exactly(3004), kind: 'fixed window, on the clock' };
const honest: Honesty = {
  verdict: 'honest',
  lie: { kind: 'none' },
  doubt: undefined,
  toleratedMs: 120,
  judged: 5,
  contradicting: 0,
  spreadMs: 1,
  refusedAfter: 0,
  acceptedAfter: 5,
  early: { windows: 0, of: 5, share: NaN },
};

test.each<[string, Honesty]>([
  ['400 per 3 s, retryAfterMs is honest', honest],
  [
    '400 per 3 s, retryAfterMs is in seconds, not in milliseconds',
    { ...honest, verdict: 'dishonest', lie: { kind: 'seconds' } },
  ],
  [
    '400 per 3 s, retryAfterMs is at least 4000 ms after the window is over',
    { ...honest, verdict: 'dishonest', lie: { kind: 'late', byMs: 4000 } },
  ],
  ['400 per 3 s, retryAfterMs is not judged: too few refusals', { ...honest, verdict: 'unclear', doubt: 'few' }],
  [
    '400 per 3 s, retryAfterMs is not judged: the waits are too short for a tolerance of 120 ms',
    { ...honest, verdict: 'unclear', doubt: 'coarse' },
  ],
])('the headline answers what the limit is, and whether it says the truth: %s', (wanted, honesty) => {
  expect(limitHeadline(estimate, honesty)).toBe(wanted);
});

test('a limit of no known kind gets no figures, and a window that is known roughly is given by its bounds', () => {
  expect(limitHeadline({ ...estimate, kind: 'unclear' }, honest)).toBe(
    'the kind of limit is unclear, retryAfterMs is honest',
  );
  expect(limitHeadline({ ...estimate, windowMs: { value: 1500, low: 500, high: 2500 } }, honest)).toBe(
    '400 per 0.5 to 2.5 s, retryAfterMs is honest',
  );
});

test('what fits no single window gets no figures, but the report says what was seen, and what does that', () => {
  const alternating = { quota: undefined, windowMs: undefined, kind: 'alternating' } as const;
  const text = 'a request is accepted before the stated reset, and later ones are refused until that reset';
  const early = { windows: 1, of: 5, share: 0.6 };
  expect(limitHeadline(alternating, { ...honest, verdict: 'unclear', doubt: 'gradual', early })).toBe(
    `${text}; retryAfterMs is not judged: in 1 of 5 windows a request is accepted early, after 60% of the stated wait`,
  );
  const facts = limitFacts(alternating, 6);
  const none = 'not measured: what was accepted early fits no single window';
  expect(facts.map(({ value }) => value)).toEqual([
    none,
    none,
    `${text}: nodes may count apart, or one counter states the end of a fixed period`,
  ]);
  expect(facts.at(-1)?.verdict).toBe('unclear');
  expect(facts.some(({ figure }) => figure !== undefined)).toBe(false);
});

test('without a complete window there is no headline', () => {
  expect(limitHeadline({ ...estimate, windowMs: undefined }, honest)).toBeUndefined();
});

test('the large figures of the report are the quota, the window and the honesty', () => {
  const facts = [...limitFacts(estimate, 6), ...honestyFacts(honest)];
  expect(facts.flatMap(({ figure }) => (figure === undefined ? [] : [`${figure.text} ${figure.unit}`.trim()]))).toEqual(
    ['400 requests', '3 s', 'honest'],
  );
});
