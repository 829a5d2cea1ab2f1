import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.other-chat/at-once';
const after = ['messages.distinct-ids/without-key', 'conflict.refused', 'idempotency.opaque', 'conflict.no-trace'];

/** Messages without a key within a second after another message fail, `most` of them. */
const failingSoon =
  (most: number) =>
  (behind: Deployment, clock: Clock): Deployment => {
    let [latest, failed] = [Number.NEGATIVE_INFINITY, 0];
    return async (request) => {
      if (!request.path.includes('/messages')) return behind(request);
      const isSoon = clock.now() - latest < 1000;
      const answer = await behind(request);
      latest = clock.now();
      if (!isSoon || answer.status >= 300 || request.headers['idempotency-key'] !== undefined) return answer;
      failed += 1;
      return failed > most ? answer : errorAnswer(500);
    };
  };

test.each([
  [Infinity, [/^failed: expected a message without a key accepted while another chat is generating; got an internal/]],
  [3, []],
])('messages without a key that follow others fail, %d times', async (most, said) => {
  expect(await saidBy(id, { through: failingSoon(most), after })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

test.each([{ gateway: 'errors-inside-on-messages' }, { 'key-required': 'yes' }])(
  'no violation with %o',
  async (choices) => {
    expect(await saidBy(id, { choices, after })).toEqual([]);
  },
);

test('nothing is sent if no message without a key failed', async () => {
  let unkeyed = 0;
  const through =
    (behind: Deployment): Deployment =>
    (request) => {
      if (request.path.includes('/messages') && request.headers['idempotency-key'] === undefined) unkeyed += 1;
      return behind(request);
    };
  await saidBy('conflict.refused', { through, after });
  const before = unkeyed;
  unkeyed = 0;
  expect(await saidBy(id, { through, after })).toEqual([]);
  expect(unkeyed).toBe(before);
});
