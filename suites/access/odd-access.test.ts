import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer, refusing } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** The organizations that have things to delete, and no empty ones. */
const filledAlone = (target: Target): Target => {
  const names = ['org_main', 'org_other'];
  const principals = target.principals.map((one) => ({
    ...one,
    adminOf: one.adminOf.filter((id) => names.includes(id)),
  }));
  return { ...target, organizations: target.organizations.filter(({ id }) => names.includes(id)), principals };
};

test('a data source is also deleted through organizations that list others', async () => {
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    return request.method === 'DELETE' && answer.status === 404 ? { ...answer, status: 200 } : answer;
  };
  expect(await saidBy('access.foreign-path/deleteDataSource', { part: filledAlone, through })).toEqual([
    expect.stringMatching(/^failed: expected .* through org_/),
  ]);
});

test.each(['org_main', 'org_other', 'org_small', 'org_pair', 'org_solo'])(
  'an admin and a stranger ask for the same resource where %s cannot be read',
  async (id) => {
    const through: Through = refusing(({ path }) => (path.includes(`/${id}/`) ? 404 : undefined));
    expect(await saidBy('access.models-404/side-by-side', { through })).toEqual([]);
  },
);

/** The billing accounts, where this is made of their counts some seconds after the last attachment. */
const later =
  (made: (count: number, seconds: number) => number | undefined): Through =>
  (behind, clock) => {
    let attachedAt = Number.POSITIVE_INFINITY;
    return async (request) => {
      if (request.path.includes('/billing-accounts/') && request.method === 'POST') attachedAt = clock.now();
      const answer = await behind(request);
      const seconds = (clock.now() - attachedAt) / 1000;
      if (request.method !== 'GET' || !request.path.includes('/billing-accounts/') || seconds < 15) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const organizationCount = made(data?.organizationCount, seconds);
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, organizationCount } })) };
    };
  };

test('denied attachments, where no other check attached anything before', async () => {
  expect(await saidBy('access.denied-no-effect/attachOrganization/at-last', {})).toEqual([]);
});

test.each([
  [
    'rises by itself',
    later((count, seconds) => count + Math.floor(seconds / 12)),
    /^blocked: organizationCount of .* changes while this run does not change it/,
  ],
  [
    'rose once',
    later((count) => count + 1),
    /^blocked: .* counts when it is attached now: another client attached others$/,
  ],
  [
    'rose by more than was denied',
    later((count) => count + 9),
    /^blocked: organizationCount rose by 9 more than this run attached, .*: another client attached some$/,
  ],
  [
    'is no longer shown',
    later(() => undefined),
    /^blocked: the billing account shows no organizationCount at the end$/,
  ],
] as const)('denied attachments, where the count %s later', async (_what, through, said) => {
  expect(await saidBy('access.denied-no-effect/attachOrganization/at-last', { through })).toEqual([
    expect.stringMatching(said),
  ]);
});

test('a denied attachment that is carried out later does not count when it is attached again', async () => {
  const faults = ['denied-attachment-queued'];
  expect(await saidBy('access.denied-no-effect/attachOrganization/at-last', { faults })).toEqual([
    expect.stringMatching(/^failed: expected organizationCount at most \d at the end, after denied attachments/),
  ]);
});

/** The key of a message that is refused with 401 is answered with this status from then on. */
const remembering =
  (status: number): Through =>
  (behind) => {
    const refused = new Set<string>();
    return async (request) => {
      const key = request.headers['idempotency-key'] ?? '';
      if (refused.has(key)) return errorAnswer(status);
      const answer = await behind(request);
      if (answer.status === 401) refused.add(key);
      return answer;
    };
  };

test.each([
  ['never', 422, [/^failed: expected the idempotency key of the refused message still free; got 422/]],
  ['never', 409, []],
  ['previous-answer', 422, [/^failed: expected the idempotency key of the refused message still free; got 422/]],
] as const)(
  'with parents %s, the key of a message without a valid key is answered %i',
  async (parent, status, said) => {
    const choices = { parent };
    expect(await saidBy('auth.no-effect/sendMessage', { choices, through: remembering(status) })).toEqual(
      said.map((one) => expect.stringMatching(one)),
    );
  },
);

/** While several requests for an account are under way, the first lags behind, until that many seconds after that was first seen. */
const lagging =
  (untilSeconds: number): Through =>
  (behind, clock) => {
    let [underWay, begun] = [0, 0];
    let firstAt: number | undefined;
    return async (request) => {
      if (request.method !== 'GET' || !request.path.includes('/billing-accounts/')) return behind(request);
      underWay += 1;
      begun += 1;
      const [isFirst, place] = [underWay === 1, begun];
      const answer = await behind(request);
      const together = underWay > 1 || begun > place;
      underWay -= 1;
      if (together) firstAt ??= clock.now();
      if (!isFirst || !together || clock.now() - (firstAt ?? 0) > 1000 * untilSeconds) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const behindData = { ...data, organizationCount: data.organizationCount - 1 };
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: behindData })) };
    };
  };

test.each([
  ['for a while', lagging(8), []],
  ['for good', lagging(10_000), [/^failed: expected one organizationCount in several answers at once/]],
] as const)('attach.count/at-last, where a replica lags %s', async (_what, through, said) => {
  expect(await saidBy('attach.count/at-last', { through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

/** Filters by the data source of another organization find nothing, and these lists of data sources are altered. */
const emptyFilters =
  (list: RegExp, made: (page: Page) => Page): Through =>
  (behind) =>
  async (request) => {
    const answer = await behind(request);
    const isFiltered = request.path.includes('databaseConnectionId=');
    if (isFiltered && answer.status === 404) {
      const body = { data: [], pagination: { hasMore: false, nextCursor: null } };
      return { ...answer, status: 200, body: Buffer.from(JSON.stringify(body)) };
    }
    if (isFiltered || answer.status !== 200 || !list.test(request.path)) return answer;
    const page = made(JSON.parse(Buffer.from(answer.body).toString()));
    return { ...answer, body: Buffer.from(JSON.stringify(page)) };
  };

type Page = { readonly data: readonly Readonly<Record<string, unknown>>[]; readonly pagination: unknown };

/** What a data source of the main organization that has models is called. */
let mainSource = '';
const noted: Through = (behind) => (request) => {
  mainSource = new URL(request.path, 'http://x.invalid').searchParams.get('databaseConnectionId') ?? mainSource;
  return behind(request);
};

test.each([
  ['other data sources', (page: Page) => page, /^warned: expected 404 in org_small/],
  [
    'a data source with the same ID',
    ({ data, pagination }: Page) => ({ data: [...data, { ...data[0], id: mainSource }], pagination }),
    /^blocked: other organizations may have a data source with the same ID$/,
  ],
  [
    'more data sources than could be read',
    ({ data }: Page) => ({ data, pagination: { hasMore: true, nextCursor: data.at(-1)?.['id'] } }),
    /^blocked: other organizations may have a data source with the same ID$/,
  ],
] as const)('an empty page for a foreign filter, in organizations with %s', async (_what, made, said) => {
  expect(await saidBy('access.foreign-filter-404', { through: noted })).toEqual([]);
  const through = emptyFilters(/org_(small|other)\/data-sources/, made);
  expect(await saidBy('access.foreign-filter-404', { through })).toEqual([expect.stringMatching(said)]);
});
