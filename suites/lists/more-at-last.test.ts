import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** How often such a page was asked for before, and how long ago the last deletion was, in milliseconds. */
type Asked = { readonly before: number; readonly sinceMs: number };

/** A page of three data sources says that more follow where none does, or the reverse if `more` is false. */
const sayingMore =
  (isSo: (asked: Asked) => boolean, more = true): Through =>
  (behind, clock) => {
    let [before, deletedAt] = [0, Number.POSITIVE_INFINITY];
    return async (request) => {
      const answer = await behind(request);
      if (request.method === 'DELETE' && answer.status < 300) deletedAt = clock.now();
      if (!/\/data-sources\?.*limit=3(?!\d)/.test(request.path) || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      if (pagination.hasMore === more || !isSo({ before, sinceMs: clock.now() - deletedAt })) return answer;
      before += 1;
      const nextCursor = more ? (data.at(-1)?.id ?? null) : null;
      return { ...answer, body: Buffer.from(JSON.stringify({ data, pagination: { hasMore: more, nextCursor } })) };
    };
  };

const id = 'paging.has-more/listDataSources/at-last';
const after = ['delete.gone-or-marked/in-sequence'];
const failed = /^failed: expected on the page of org_main that ends before .*, hasMore false; got true$/;

test.each<[string, Through, readonly RegExp[]]>([
  ['does always', sayingMore(() => true), [failed]],
  ['does once', sayingMore(({ before }) => before === 0), []],
  ['does from a copy that lags', sayingMore(({ sinceMs }) => sinceMs < 10_000), []],
  ['never does', sayingMore(() => false), []],
])('the page before deleted data sources that says more follow %s', async (_what, through, said) => {
  expect(await saidBy(id, { after, through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

test.each(['deleted-at', 'is-deleted', 'status'])('deleted data sources that stay, shown by %s', async (shown) => {
  const choices = { 'deleted-sources': shown };
  expect(await saidBy(id, { after, choices })).toEqual([]);
  expect(await saidBy(id, { after, choices, through: sayingMore(() => true, false) })).toEqual([
    expect.stringMatching(/ends before data sources that were deleted, hasMore true; got false$/),
  ]);
});

test('deleted data sources that go after ten seconds', async () => {
  expect(await saidBy(id, { after, choices: { 'deleted-sources': 'gone-after-ten-seconds' } })).toEqual([]);
});

test('the oldest data source may not be deleted', async () => {
  const part: TrialOptions['part'] = (target) => ({
    ...target,
    organizations: target.organizations.map((one) => ({
      ...one,
      disposableDataSources: one.id === 'org_main' ? one.disposableDataSources.slice(1) : [],
    })),
  });
  expect(await saidBy(id, { after, part })).toEqual([
    expect.stringMatching(/^blocked: this run did not delete the oldest data source of any list/),
  ]);
});

test('the oldest data source of another organization is deleted at the end, before its others', async () => {
  const part: TrialOptions['part'] = (target) => ({
    ...target,
    organizations: target.organizations.map(({ disposableDataSources: ids, ...one }) => ({
      ...one,
      disposableDataSources: one.id === 'org_main' ? ids.slice(1) : ids.toReversed(),
    })),
  });
  const everywhere = ['access.granted/deleteDataSource/every-organization'];
  expect(await saidBy(id, { after: everywhere, part, through: sayingMore(() => true) })).toEqual([
    expect.stringMatching(/^failed: expected on the page of org_other that ends before/),
  ]);
});
