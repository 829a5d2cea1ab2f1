import type { Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { describe } from '../core/text.ts';
import { type Broken, promised } from './judgement.ts';

/** Section 7: every 429 says what it is and how long to wait. A fraction of a millisecond is a number. */
export const rateLimitBody = promised('rate.body', ({ status, json, problem }: Answer) => {
  if (status !== 429) return undefined;
  const broken = (expected: string, actual: unknown): Broken => {
    return { expected: `a 429 with ${expected}`, actual: problem ?? describe(actual) };
  };
  const [title, detail, retryAfterMs] = ['title', 'detail', 'retryAfterMs'].map((name) => at(json, 'error', name));
  if (title !== 'RateLimitExceeded') return broken('error.title "RateLimitExceeded"', title);
  if (typeof detail !== 'string') return broken('error.detail, a string', detail);
  if (typeof retryAfterMs !== 'number' || !Number.isFinite(retryAfterMs)) {
    return broken('error.retryAfterMs, a number', retryAfterMs);
  }
  return retryAfterMs >= 0 ? 'kept' : broken('error.retryAfterMs not below 0', retryAfterMs);
});
