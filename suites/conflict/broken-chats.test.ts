import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment, HttpResponse } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.ends/without-errors';
const after = ['messages.success-status', 'conflict.ends', 'wait.minimum', 'idempotency.after'];

const failed = (status: number): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify({ error: { title: 'Failed', detail: 'It failed.' } })),
});

/** Messages are answered with that status from the fifth one on, for so long. */
const failing =
  (status: number, forMs: number) =>
  (behind: Deployment, clock: Clock): Deployment => {
    let [count, until] = [0, Infinity];
    return async (request) => {
      if (!request.path.includes('/messages')) return behind(request);
      count += 1;
      if (count === 5) until = clock.now() + forMs;
      return count < 5 || clock.now() >= until ? behind(request) : failed(status);
    };
  };

test('chats that accepted messages must not fail inside for good', async () => {
  expect(await saidBy(id, { through: failing(500, Infinity), after })).toEqual([
    expect.stringMatching(
      /^failed: expected the next message accepted by a chat that accepted messages before; got 500 "?Failed"? to each of 6 messages/,
    ),
  ]);
});

test.each([502, 503, 504])('%s may be an answer of a gateway', async (status) => {
  const said = await saidBy(id, { through: failing(status, Infinity), after });
  expect(said.filter((one) => !one.startsWith('blocked'))).toEqual([]);
});

test('an incident of some seconds is no violation', async () => {
  const said = await saidBy(id, { through: failing(500, 12_000), after });
  expect(said.filter((one) => !one.startsWith('blocked'))).toEqual([]);
});

test('rare internal errors are no violation', async () => {
  expect(await saidBy(id, { choices: { gateway: 'errors-inside-on-messages' }, after })).toEqual([]);
});
