import { expect, test } from 'vitest';
import type { LimitEstimate } from './estimate-limit.ts';
import type { Honesty } from './judge-honesty.ts';
import { honestyFacts, limitFacts, limitHeadline } from './limit-facts.ts';

const exactly = (value: number) => ({ value, low: value, high: value });
const estimate: LimitEstimate = { quota: exactly(400), windowMs: exactly(3004), kind: 'fixed window, on the clock' };
const honest: Honesty = {
  verdict: 'honest',
  lie: { kind: 'none' },
  judged: 5,
  contradicting: 0,
  spreadMs: 1,
  refusedAfter: 0,
  acceptedAfter: 5,
};

test.each<[string, Honesty]>([
  ['400 per 3 s, retryAfterMs is honest', honest],
  [
    '400 per 3 s, retryAfterMs is in seconds, not in milliseconds',
    { ...honest, verdict: 'dishonest', lie: { kind: 'seconds' } },
  ],
  ['400 per 3 s, too few refusals to judge retryAfterMs', { ...honest, verdict: 'unclear' }],
])('the headline answers what the limit is, and whether it says the truth: %s', (wanted, honesty) => {
  expect(limitHeadline(estimate, honesty)).toBe(wanted);
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
