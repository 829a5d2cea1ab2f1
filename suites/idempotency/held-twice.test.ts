import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/** A repetition that arrives while its first request is held is answered with that status, the first `most` times. */
const refusingHeld =
  (status: number, most: number) =>
  (behind: Deployment): Deployment => {
    const held = new Set<string>();
    let refused = 0;
    return async (request) => {
      const key = request.headers['idempotency-key'];
      if (key === undefined || !request.path.includes('wait=')) return behind(request);
      if (held.has(key) && refused < most) {
        refused += 1;
        return errorAnswer(status);
      }
      held.add(key);
      try {
        return await behind(request);
      } finally {
        held.delete(key);
      }
    };
  };

const others = { after: ['wait.finishes/held-twice'] };

test.each([
  [409, Infinity, [/^failed: expected 2xx for the same key while the first request is held; got 409/]],
  [409, 1, []],
  [403, Infinity, [/^blocked: the repetition of a message sent with wait was answered 403/]],
])('a repetition while its request is held is answered %i, %d times', async (status, most, said) => {
  const through = refusingHeld(status, most);
  expect(await saidBy('idempotency.while-generating/held', { through, ...others })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

test('two checks share the message and its repetition', async () => {
  const held = new Set<string>();
  let twice = 0;
  const through =
    (behind: Deployment): Deployment =>
    (request) => {
      const key = request.headers['idempotency-key'] ?? '';
      if (held.has(key)) twice += 1;
      held.add(key);
      return behind(request).finally(() => held.delete(key));
    };
  expect(await saidBy('idempotency.while-generating/held', { through, ...others })).toEqual([]);
  expect(twice).toBe(1);
});
