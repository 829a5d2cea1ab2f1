import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'access.granted/listModels/after-malformed';
const after = [
  'message.malformed',
  'paging.walk/listModels',
  'paging.walk/listDataSources',
  'access.granted/listModels',
];

/** The first `most` requests after a body that is no JSON are answered with that status, and the bodies are counted. */
function failingAfter(status: number, most: number) {
  const seen = { bodies: 0 };
  let [isPoisoned, failed] = [false, 0];
  const through =
    (behind: Deployment): Deployment =>
    (request) => {
      const fails = isPoisoned && failed < most;
      isPoisoned = request.body === '{"message": "Reply with ok."';
      if (isPoisoned) seen.bodies += 1;
      if (fails) failed += 1;
      return fails ? Promise.resolve(errorAnswer(status)) : behind(request);
    };
  return { seen, through };
}

test.each([
  ['always', 500, Infinity, 1],
  ['a few times', 500, 3, 0],
  ['always, by a gateway', 502, Infinity, 0],
] as const)('a request after a body that is no JSON fails, %s', async (_when, status, most, violations) => {
  const said = await saidBy(id, { through: failingAfter(status, most).through, after });
  expect(said).toEqual(
    Array.from({ length: violations }, () =>
      expect.stringMatching(/^failed: expected a read that is answered after each of 5 bodies that are no JSON/),
    ),
  );
});

test('nothing is sent if no request failed', async () => {
  const { seen, through } = failingAfter(500, 0);
  expect(await saidBy(id, { through, after })).toEqual([]);
  expect(seen.bodies).toBe(1);
});
