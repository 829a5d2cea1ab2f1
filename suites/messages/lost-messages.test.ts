import { expect, test } from 'vitest';
import { type Deployment, TransportError } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** The first message of one character gets no answer. */
const losingOne = (behind: Deployment): Deployment => {
  let isLost = false;
  return async (request) => {
    if (isLost || !request.path.includes('/messages') || !String(request.body).includes('" "')) return behind(request);
    isLost = true;
    throw new TransportError('timeout', 'it got no answer');
  };
};

// One message serves several checks. Where it is lost, they send others.
test.each([
  'message.minimum',
  'message.content-type',
  'idempotency.key-maximum',
  'messages.text/values',
  'wait.minimum',
])('%s judges other messages where an unusual one is lost', async (id) => {
  expect(await saidBy(id, { through: losingOne })).toEqual([]);
});
