import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** From the first page of two models behind a cursor on, a model of it is left out of such pages, or of all. */
const losing =
  (where: 'such pages' | 'all'): NonNullable<TrialOptions['through']> =>
  (behind) => {
    let lost: string | undefined;
    return async (request) => {
      const answer = await behind(request);
      const { pathname, searchParams } = new URL(request.path, 'http://x.invalid');
      if (!pathname.endsWith('/models') || answer.status !== 200) return answer;
      const isSuch = searchParams.get('limit') === '2' && searchParams.has('cursor');
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      if (isSuch && lost === undefined) {
        lost = data[1].id;
        return answer;
      }
      const kept = isSuch || where === 'all' ? data.filter(({ id }: { readonly id: string }) => id !== lost) : data;
      return { ...answer, body: Buffer.from(JSON.stringify({ data: kept, pagination })) };
    };
  };

test.each([
  ['all', 'blocked: other traffic deleted items while a cursor was compared'],
  ['such pages', 'failed: expected .* for the same cursor after its clock was moved back'],
] as const)('a model that is left out of %s behind a cursor after an outage', async (where, said) => {
  expect(await saidBy('paging.any-id-is-cursor/listModels/clock', { through: losing(where) })).toEqual([
    expect.stringMatching(new RegExp(`^${said}`)),
  ]);
});
