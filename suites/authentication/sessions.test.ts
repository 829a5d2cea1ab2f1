import { expect, test } from 'vitest';
import { saidBy } from '../../testing/said-by.ts';

/** Both cookies, of which one has a comma in its date. */
const setCookie = 'lb=n1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, session=7; HttpOnly';

test('the cookies of an answer are sent back without a key, and a deployment that ignores them is not accused', async () => {
  const sent: string[] = [];
  const said = await saidBy('auth.no-key/listModels', {
    through: (behind) => async (request) => {
      if (request.headers['cookie'] !== undefined) sent.push(request.headers['cookie']);
      const answer = await behind(request);
      return { ...answer, headers: { ...answer.headers, 'set-cookie': setCookie } };
    },
  });
  expect(said).toEqual([]);
  expect(sent).toEqual(['lb=n1; session=7']);
});

test('a session that replaces the key is a violation', async () => {
  expect(await saidBy('auth.no-key/listModels', { faults: ['session-in-a-cookie'] })).toEqual([
    expect.stringMatching(/^failed: expected 401 for no key, with the cookies of an answer/),
  ]);
});
