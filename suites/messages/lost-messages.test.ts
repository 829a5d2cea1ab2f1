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

/** The first answer to each message with wait=3 is lost after it was held. */
const losingHeld = (behind: Deployment): Deployment => {
  const seen = new Set<unknown>();
  return async (request) => {
    const answer = await behind(request);
    const isFirst = !seen.has(request.body);
    if (!request.path.endsWith('messages?wait=3') || !isFirst) return answer;
    seen.add(request.body);
    throw new TransportError('reset', 'connection reset');
  };
};

test.each(['wait.holds/at-last', 'wait.holds'])(
  '%s accuses no deployment that returns the original result at once where the first answer was lost',
  async (id) => {
    const said = await saidBy(id, {
      choices: { 'replay-form': 'original' },
      after: ['wait.holds', 'wait.ends', 'conflict.refused'],
      through: losingHeld,
    });
    expect(said.filter((one) => !one.startsWith('blocked: the first answer'))).toEqual([]);
  },
);
