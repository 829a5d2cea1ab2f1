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
