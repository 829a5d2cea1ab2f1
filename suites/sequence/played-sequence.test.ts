import { expect, test } from 'vitest';
import { TransportError } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

test('a sequence that begins anew after a missing answer uses other keys', async () => {
  let isSending = false;
  let lost = 0;
  const said = await saidBy('messages.distinct-ids/at-last', {
    after: ['models.filter/in-sequence', 'idempotency.after/in-sequence'],
    through: (deployment) => async (request) => {
      isSending ||= request.path.includes('/messages');
      if (isSending && lost === 0 && request.method === 'GET') {
        lost += 1;
        throw new TransportError('timeout', 'no answer in time');
      }
      return deployment(request);
    },
  });
  expect(lost).toBe(1);
  expect(said).toEqual([]);
});

test.each([
  [
    'another violation',
    'filter-ignored',
    'delete.gone-or-marked',
    /no more changes after a violation, and models\.filter is violated$/,
  ],
  [
    'no usable chat',
    'wait-ignored',
    'idempotency.after',
    /a message with wait=10 got 202 early, .* wait\.holds and .* judge that$/,
  ],
  ['unreadable messages', 'accepted-without-assistant', 'conflict.refused', /gave no messages with IDs: /],
])('what a sequence could not exercise because of %s names that reason', async (_what, fault, requirement, reason) => {
  const [said = ''] = await saidBy(`${requirement}/in-sequence`, { faults: [fault] });
  expect(said).toMatch(/^blocked: the sequence never exercised it: /);
  expect(said).toMatch(reason);
});
