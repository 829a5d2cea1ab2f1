import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import type { TrialOptions } from '../../proof/trial.ts';
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

const original = { 'replay-form': 'original' };

test.each(['response-cancelled-after-shortest-wait', 'lock-ends-with-wait'])(
  'where a repetition gets the first answer for good, %s shows by how long other responses take',
  async (fault) => {
    expect(await saidBy(id, { faults: [fault], choices: original })).toEqual([
      expect.stringMatching(/^failed: expected 409 .*; got 2xx each of 3 times that wait=1 was answered 202/),
    ]);
  },
);

test('a response that may be as short as its wait shows nothing', async () => {
  const choices = { ...original, assistant: 'always-1200-ms' };
  expect(await saidBy(id, { faults: ['lock-ends-with-wait'], choices })).toEqual([
    expect.stringMatching(/^blocked: the chat accepted a message where one should still be generating/),
  ]);
});

test('with one chat, the chat that was tried is tried again', async () => {
  const part: TrialOptions['part'] = (target) => ({
    ...target,
    organizations: target.organizations.map((one, index) => ({
      ...one,
      chats: index === 0 ? one.chats.slice(0, 1) : [],
    })),
  });
  const said = await saidBy(id, { faults: ['lock-ends-with-wait'], choices: original, part });
  expect(said).toEqual([expect.stringMatching(/^failed: expected 409 /)]);
});
