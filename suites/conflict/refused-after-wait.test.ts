import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.refused/after-wait';
const faults = ['response-cancelled-after-shortest-wait'];

/** Only the first `most` requests wait for one second; the others wait for two. */
const shortest =
  (most: number) =>
  (behind: Deployment): Deployment => {
    let seen = 0;
    return (request) => {
      if (!request.path.endsWith('wait=1')) return behind(request);
      seen += 1;
      return behind(seen <= most ? request : { ...request, path: request.path.replace('wait=1', 'wait=2') });
    };
  };

test('responses that never end after their wait while the chat accepts messages are a violation', async () => {
  expect(await saidBy(id, { faults, through: shortest(99) })).toEqual([
    expect.stringMatching(
      /^failed: expected 409 .*; got 202, and the response before is still in progress \d+ s later/,
    ),
  ]);
});

test('a single one may be lost', async () => {
  expect(await saidBy(id, { faults, through: shortest(1) })).toEqual([]);
});

test('a repetition that gets the first answer for good shows no response in progress', async () => {
  expect(await saidBy(id, { faults, choices: { 'replay-form': 'original' } })).toEqual([
    expect.stringMatching(/^blocked: the chat accepted a message where one should still be generating/),
  ]);
});
