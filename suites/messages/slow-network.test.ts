import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Each answer takes as many milliseconds more as the list says, in turn. */
const slowed =
  (delaysMs: readonly number[]): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    let turn = 0;
    return async (request) => {
      const delayMs = delaysMs[turn % delaysMs.length] ?? 0;
      turn += 1;
      await clock.sleep(delayMs);
      return behind(request);
    };
  };

test.each([
  ['wait.finishes', 'each answer takes five seconds', [5000]],
  ['wait.finishes', 'each answer takes nine seconds', [9000]],
  ['conflict.race', 'each answer takes five seconds', [5000]],
  ['messages.immediate', 'one answer in four is quicker', [3000, 1000, 3000, 3000]],
  ['wait.ends/side-by-side', 'one answer in four is quicker', [3000, 1000, 3000, 3000]],
] as const)('%s accuses no network on which %s', async (id, _what, delaysMs) => {
  expect(await saidBy(id, { through: slowed(delaysMs) })).toEqual([]);
});
