import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import type { Clock } from '../../core/clock.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'messages.immediate/at-last';
const after = [
  'messages.distinct-ids/without-key',
  'messages.text',
  'conflict.other-chat',
  'message.maximum',
  'idempotency.while-generating',
];

test.each([
  'held-without-key',
  'held-in-later-chats',
  'held-on-a-canary',
  'second-node-holds',
  'held-if-long',
  'held-beside-another',
])('%s is found at last', async (fault) => {
  expect(await saidBy(id, { faults: [fault], after })).toEqual([
    expect.stringMatching(/^failed: expected an answer at once, within \d+ ms, to every message without wait/),
  ]);
});

/** A network whose kept connection keeps the `wait` of a message for those after it that have none. */
function stickingWait(behind: Deployment): Deployment {
  let kept: string | null = null;
  return (request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://deployment');
    if (!pathname.endsWith('/messages') || request.isRepeatable !== true) return behind(request);
    const wait = searchParams.get('wait') ?? kept;
    kept = wait;
    return behind(wait === null ? request : { ...request, path: `${pathname}?wait=${wait}` });
  };
}

test('messages that are held because of an earlier one on their connection are found at last', async () => {
  expect(await saidBy(id, { through: stickingWait, after })).toEqual([expect.stringMatching(/^failed: /)]);
});

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

/** A gateway sends one message in `every` with a key again when it has lost the answer: the second one shows the response finished. */
const repeatedBehind =
  (every: number, afterMs: number) =>
  (behind: Deployment, clock: Clock): Deployment => {
    let turn = 0;
    return async (request) => {
      const isKeyed = Object.keys(request.headers).some((name) => /idempotency/i.test(name));
      if (isKeyed && request.path.endsWith('/messages')) turn += 1;
      else return behind(request);
      if (turn % every !== 0) return behind(request);
      await behind(request);
      await clock.sleep(afterMs);
      return behind(request);
    };
  };

test.each([
  [4, 5000, 'always-2-s'],
  [6, 5000, 'always-1-s'],
  [8, 8000, 'always-2-s'],
])('no gateway is accused that repeats every message number %i', async (every, afterMs, assistant) => {
  const through = repeatedBehind(every, afterMs);
  expect(await saidBy(id, { through, choices: { assistant }, after })).toEqual([]);
  const needsKey = { assistant, 'key-required': 'yes' };
  expect(await saidBy(id, { through, choices: needsKey, after })).toEqual([]);
});

test('held messages are found where every message needs a key', async () => {
  const choices = { 'key-required': 'yes' };
  expect(await saidBy(id, { faults: ['held-in-later-chats'], choices, after })).toEqual([
    expect.stringMatching(/^failed: /),
  ]);
});

test.each(['at-once', 'always-1-s', 'moody', 'slow-is-half-a-second'])('an assistant %s passes', async (assistant) => {
  expect(await saidBy(id, { choices: { assistant }, after })).toEqual([]);
});
