import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Messages of all principals but the first, `most` of them, are answered 403 in place of 409. */
const denyingWhileBusy =
  (most: number) =>
  (behind: Deployment, _clock: unknown, { principals }: Target): Deployment => {
    const others = principals.slice(1).map(({ key }) => `Bearer ${key}`);
    let denied = 0;
    return async (request) => {
      const answer = await behind(request);
      if (answer.status !== 409 || !others.includes(request.headers['authorization'] ?? '')) return answer;
      denied += 1;
      return denied > most ? answer : errorAnswer(403);
    };
  };

test.each([
  [Infinity, [/^failed: expected 409 .*; got 403 .* each of 3 times, and 2xx whenever the chat is idle$/]],
  [2, []],
])('%d messages of another admin are denied while the chat is busy, and none while it is idle', async (most, said) => {
  expect(await saidBy('conflict.race', { through: denyingWhileBusy(most) })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});
