import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import type { Clock } from '../../core/clock.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'messages.immediate/at-last';
const after = [
  'messages.distinct-ids/without-key',
  'messages.text',
  'conflict.other-chat',
  'conflict.race',
  'idempotency.while-generating',
];

test.each(['held-without-key', 'held-in-later-chats', 'held-on-a-canary', 'second-node-holds'])(
  '%s is found at last',
  async (fault) => {
    expect(await saidBy(id, { faults: [fault], after })).toEqual([
      expect.stringMatching(/^failed: expected an answer at once, within \d+ ms, to every message without wait/),
    ]);
  },
);

/** One message in `every` without wait takes five seconds longer to arrive. */
const slowedNow =
  (every: number) =>
  (behind: Deployment, clock: Clock): Deployment => {
    let turn = 0;
    return async (request) => {
      const isMessage = request.path.endsWith('/messages');
      if (isMessage) turn += 1;
      if (isMessage && turn % every === 0) await clock.sleep(5000);
      return behind(request);
    };
  };

test.each([
  ['usually', {}, 4],
  ['usually', {}, 3],
  ['with an assistant that answers at once', { assistant: 'at-once' }, 3],
  ['with an assistant that is quick now and then', { assistant: 'moody' }, 3],
] as const)('no network is accused that is slow now and then, %s', async (_when, choices, every) => {
  expect(await saidBy(id, { through: slowedNow(every), choices, after })).toEqual([]);
});

test.each(['at-once', 'always-1-s', 'moody', 'slow-is-half-a-second'])('an assistant %s passes', async (assistant) => {
  expect(await saidBy(id, { choices: { assistant }, after })).toEqual([]);
});
