import { at } from '../harness/json.ts';
import type { Watch } from '../harness/session.ts';
import { describe } from '../harness/text.ts';
import { Violation } from '../harness/verdict.ts';

/** Section 7: every 429, whoever met it, says what it is and how long to wait. A fraction of a millisecond is a number. */
export const rateBodyWatch: Watch = {
  requirement: 'rate.body',
  judge(exchange, answer) {
    if (answer?.status !== 429) return undefined;
    const error = at(answer.json, 'error');
    const broken = (expected: string, actual: unknown): Violation =>
      new Violation(`a 429 with ${expected}`, answer.problem ?? describe(actual), [exchange]);
    const [title, detail, retryAfterMs] = ['title', 'detail', 'retryAfterMs'].map((name) => at(error, name));
    if (title !== 'RateLimitExceeded') return broken('error.title "RateLimitExceeded"', title);
    if (typeof detail !== 'string') return broken('error.detail, a string', detail);
    if (typeof retryAfterMs !== 'number') return broken('error.retryAfterMs, a number', retryAfterMs);
    return retryAfterMs >= 0 ? 'kept' : broken('error.retryAfterMs not below 0', retryAfterMs);
  },
};
