import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Body = { readonly data: readonly object[] };

/** Models whose names depend on the request, or on how many there were before it, while updatedAt stays the same. */
const named =
  (nameOf: (path: string, turn: number) => string): NonNullable<TrialOptions['through']> =>
  (behind) => {
    let turn = 0;
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/models') || answer.status !== 200) return answer;
      turn += 1;
      const name = nameOf(request.path, turn);
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const data = body.data.map((model) => ({ ...model, name, updatedAt: '2026-01-15T00:00:00Z' }));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  };

test.each([
  [
    'edited all the time',
    (_path: string, turn: number) => `${turn}`,
    /^blocked: name of "mdl.* changes while its updatedAt stays/,
  ],
  [
    'different on pages of another size',
    (path: string) => `${path.includes('limit=100')}`,
    /^failed: expected name "true" of "mdl/,
  ],
] as const)('the names of models are %s', async (_what, nameOf, said) => {
  expect(await saidBy('paging.same-records/listModels', { through: named(nameOf) })).toEqual([
    expect.stringMatching(said),
  ]);
});
