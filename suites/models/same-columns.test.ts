import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Body = { readonly data: readonly object[] };

/** Models have a column that depends on the request, or on how many there were before it. */
const shown =
  (nullable: (path: string, turn: number) => boolean): NonNullable<TrialOptions['through']> =>
  (behind) => {
    let turn = 0;
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/models') || answer.status !== 200) return answer;
      turn += 1;
      const columns = [{ name: 'a', nullable: nullable(request.path, turn), example: null, type: 'null' }];
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const data = body.data.map((model) => ({ ...model, columns }));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  };

test.each([
  ['are inferred anew once', (_path: string, turn: number) => turn > 4, []],
  ['are inferred for each answer', (_path: string, turn: number) => (turn * 7) % 5 < 2, []],
  ...[2, 3, 4, 5].map(
    (servers) =>
      [
        `differ between ${servers} servers that take turns`,
        (_path: string, turn: number) => turn % servers === 0,
        [],
      ] as const,
  ),
  [
    'depend on the page',
    (path: string) => path.includes('limit=100'),
    [expect.stringMatching(/^warned: expected columns .*true.* on every page; got .*false.* on another page/)],
  ],
] as const)('columns that %s', async (_how, nullable, said) => {
  expect(await saidBy('models.same-columns', { through: shown(nullable) })).toEqual(said);
});
