import { expect, test } from 'vitest';
import { limitSampleOf } from './limit-sample.ts';

const refusal = { error: { title: 'RateLimitExceeded', detail: 'later', retryAfterMs: 40 } };

test.each([
  [200, {}, 'accepted', undefined],
  [429, refusal, 'limited', 40],
  [429, { error: {} }, 'limited', undefined],
  [503, refusal, 'limited', 40],
  [503, { error: { title: 'Unavailable', retryAfterMs: 40 } }, 'other', undefined],
] as const)('an answer with %s and %j is %s', (outcome, body, kind, retryAfterMs) => {
  const arrived = { outcome, body: [Buffer.from(JSON.stringify(body))] };
  expect(limitSampleOf(arrived, 1, 2)).toEqual({ sentAt: 1, receivedAt: 2, kind, retryAfterMs });
});
