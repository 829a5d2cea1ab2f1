import { at } from '../../core/json.ts';
import type { Watch } from '../../engine/session/session.ts';
import { describe } from '../../core/text.ts';
import { Violation } from '../../engine/verdict.ts';

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
