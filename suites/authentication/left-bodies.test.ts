import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** The body of a refused request stays on its connection, where it spoils the next request. */
const leavingBodies: Through = (behind) => {
  let isSpoiled = false;
  return async (request) => {
    if (request.follows === true && isSpoiled) return { status: 400, headers: {}, body: Buffer.from('Bad Request') };
    const answer = await behind(request);
    isSpoiled = answer.status === 401 && request.body !== undefined;
    return answer;
  };
};

test.each([
  ['auth.unknown-key/sendMessage', [/^failed: expected 401 for an unknown key; got 400/]],
  ['auth.unknown-key/attachOrganization', [/^failed: expected 401 for an unknown key; got 400/]],
  ['auth.unknown-key/listModels', []],
] as const)('%s, where the body of a refused request is left on its connection', async (id, said) => {
  expect(await saidBy(id, { through: leavingBodies })).toEqual(said.map((one) => expect.stringMatching(one)));
});
