import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Listed = Readonly<Record<string, unknown>>;

/** A list that was asked for after the deletion. */
type Asked = {
  readonly list: 'models' | 'data-sources';
  /** Whether it is of the organization of the deletion. */
  readonly isOwn: boolean;
  readonly query: URLSearchParams;
  /** Since the first deletion. */
  readonly seconds: number;
  readonly reads: number;
  /** What was deleted, as it was listed before. */
  readonly deleted: Listed;
  /** How often it was to be deleted. */
  readonly deletions: number;
  /** How many data sources were deleted, all in all. */
  readonly accepted: number;
  /** How many of them soon after another one. */
  readonly quick: number;
};

/** Lists that show other records once something was deleted. */
const listing =
  (made: (records: readonly Listed[], asked: Asked) => readonly unknown[]): Through =>
  (behind, clock) => {
    const before = new Map<string, Listed>();
    let first: { readonly deleted: Listed; readonly organization: string; readonly at: number } | undefined;
    let [deletions, accepted, quick, reads] = [0, 0, 0, 0];
    let [latest, latestAt] = ['', Number.NEGATIVE_INFINITY];
    return async (request) => {
      const answer = await behind(request);
      const url = new URL(request.path, 'http://x.invalid');
      const [, organization = '', kind = '', id] = /organizations\/([^/]+)\/([^/]+)\/?(.*)/.exec(url.pathname) ?? [];
      if (request.method === 'DELETE' && (first === undefined || id === first.deleted['id'])) deletions += 1;
      if (request.method === 'DELETE' && answer.status < 300) {
        accepted += 1;
        if (id !== latest && clock.now() - latestAt < 1500) quick += 1;
        [latest, latestAt] = [id ?? '', clock.now()];
        const deleted = before.get(id ?? '');
        if (deleted !== undefined) first ??= { deleted, organization, at: clock.now() };
      }
      const list = kind === 'models' ? 'models' : 'data-sources';
      if (request.method !== 'GET' || kind !== list || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      if (first === undefined) {
        for (const one of data) before.set(one.id, one);
        return answer;
      }
      reads += 1;
      const seconds = (clock.now() - first.at) / 1000;
      const { deleted } = first;
      const asked = { list, query: url.searchParams, isOwn: organization === first.organization } as const;
      const records = made(data, { ...asked, seconds, reads, deleted, deletions, accepted, quick });
      return { ...answer, body: Buffer.from(JSON.stringify({ data: records, pagination })) };
    };
  };

type Made = (records: readonly Listed[], asked: Asked) => readonly unknown[];

/** The data sources of the organization of the deletion, and those of others. */
const own =
  (made: Made): Made =>
  (records, asked) =>
    asked.list === 'data-sources' && asked.isOwn ? made(records, asked) : records;
const elsewhere =
  (made: Made): Made =>
  (records, asked) =>
    asked.list === 'data-sources' && !asked.isOwn ? made(records, asked) : records;
/** Models of every data source. */
const models =
  (isOwn: boolean, made: Made): Made =>
  (records, asked) =>
    asked.list === 'models' && asked.isOwn === isOwn && asked.query.size === 1 ? made(records, asked) : records;

const put: Made = (records, { deleted }) => [deleted, ...records];
const lose: Made = (records) => records.slice(1);
const loseEach: Made = (records, { accepted }) => records.slice(accepted);
const loseQuick: Made = (records, { quick }) => records.slice(1 + quick);
const loseMore: Made = (records, { reads }) => records.slice(Math.min(60, reads));
const loseSlowly: Made = (records, { seconds }) => records.slice(seconds > 25 ? 2 : 1);
const loseAndMake: Made = ([first, ...rest], { seconds }) =>
  seconds > 25 ? [{ ...first, id: 'made' }, ...rest] : rest;
const swap: Made = ([one, other, ...rest]) => [other, one, ...rest];
const change =
  (fields: Listed): Made =>
  (records) =>
    records.map((one, place) => (place === 2 ? { ...one, ...fields } : one));
const when =
  (holds: (asked: Asked) => boolean, made: Made): Made =>
  (records, asked) =>
    holds(asked) ? made(records, asked) : records;

const isPlain = ({ query }: Asked): boolean => query.size === 0;
const isBehind = ({ query }: Asked): boolean => query.has('cursor') && query.get('limit') === '2';
const isEarly = ({ seconds }: Asked): boolean => seconds < 20;
const isLate = ({ seconds }: Asked): boolean => seconds > 9;

const [gone, goneLater] = ['delete.gone-or-marked', 'delete.gone-or-marked/later'] as const;
const goneAtLast = 'delete.gone-or-marked/at-last';
const [sources, sourcesAtLast] = ['delete.others-untouched', 'delete.others-untouched/sources-at-last'] as const;
const [kept, keptAtLast] = ['delete.others-untouched/models', 'delete.others-untouched/models-at-last'] as const;
const restless = 'blocked: the list of .* changes while this run does not change it';
const keptPlain = 'failed: expected .* not on the page without parameters, or marked there; got still listed as before';
const lostOwn = 'failed: expected the other data sources of org_main unchanged';
const lostAtLast = 'failed: expected the data sources of org_\\w+ that the run did not delete still listed at the end';
const lostOnce = 'blocked: items were lost since the deletion, and none with other deletions: other traffic';
const lostModels = 'failed: expected the models of other data sources in org_\\w+ unchanged';

test.each([
  [gone, 'what was deleted stays', own(put), 'failed: expected .* marked as deleted after its deletion'],
  [gone, 'what was deleted is shown for a while', own(when(isEarly, put)), undefined],
  [
    gone,
    'what was deleted comes back',
    own(when(({ seconds }) => seconds > 3, put)),
    'failed: expected .* some time after its deletion',
  ],
  [gone, 'what was deleted stays behind a cursor', own(when(isBehind, put)), 'failed: expected .* behind a cursor'],
  [gone, 'it stays there for a while', own(when((asked) => isBehind(asked) && asked.seconds < 25, put)), undefined],
  [
    gone,
    'what was deleted stays with a mark',
    own((records, { deleted }) => [{ ...deleted, deletedAt: '2026-01-01T00:00:00Z' }, ...records]),
    undefined,
  ],
  [goneAtLast, 'what was deleted stays on the plain page', own(when(isPlain, put)), keptPlain],
  [
    goneAtLast,
    'what was deleted stays there for a while',
    own(when((asked) => isPlain(asked) && isEarly(asked), put)),
    undefined,
  ],
  [
    goneLater,
    'what was deleted stays on long pages for a while',
    own(when(({ query, seconds }) => query.get('limit') === '100' && seconds < 29, put)),
    undefined,
  ],
  [
    goneLater,
    'what was deleted stays on long pages',
    own(when(({ query }) => query.get('limit') === '100', put)),
    'failed: expected .* when every copy of the list must show it',
  ],
  [sources, 'the first one is lost', own(lose), lostOnce],
  [sources, 'the first one is lost with each deletion', own(loseEach), lostOwn],
  [sources, 'the first one is lost with each deletion soon after another', own(loseQuick), lostOwn],
  [sources, 'one is lost elsewhere', elsewhere(lose), lostOnce],
  [
    sources,
    'one is lost elsewhere with each deletion',
    elsewhere(loseEach),
    'failed: expected the other data sources of org_other unchanged',
  ],
  [sources, 'more and more are lost', own(loseMore), restless],
  [sources, 'two change places', own(swap), lostOwn],
  [sources, 'another one was created at another time', own(change({ createdAt: '2026-01-01T00:00:00Z' })), lostOwn],
  [sources, 'another one is marked too', own(change({ deletedAt: '2026-01-01T00:00:00Z' })), lostOwn],
  [sources, 'another one has another name', own(change({ name: 'another' })), undefined],
  [sourcesAtLast, 'the first one is lost', own(lose), lostOnce],
  [sourcesAtLast, 'the first one is lost with each deletion', own(loseEach), lostAtLast],
  [sourcesAtLast, 'the first one is lost with each deletion, later', own(when(isLate, loseEach)), lostAtLast],
  [sourcesAtLast, 'one is lost elsewhere', elsewhere(lose), lostOnce],
  [sourcesAtLast, 'one is lost elsewhere with each deletion', elsewhere(loseEach), lostAtLast],
  [sourcesAtLast, 'more and more are lost', own(loseMore), restless],
  [kept, 'a model is lost', models(true, lose), lostModels],
  [kept, 'a model is lost with each deletion', models(true, loseEach), lostModels],
  [
    kept,
    'a model is lost later',
    models(
      true,
      when(({ seconds }) => seconds > 60, lose),
    ),
    undefined,
  ],
  [kept, 'a model is lost elsewhere', models(false, lose), lostModels],
  [kept, 'a model is lost, and more later', models(true, loseSlowly), lostOnce],
  [kept, 'a model is lost, and another one comes later', models(true, loseAndMake), lostOnce],
  [kept, 'a model is lost elsewhere with each deletion', models(false, loseEach), lostModels],
  [keptAtLast, 'a model is lost later', models(true, when(isLate, lose)), lostOnce],
  [keptAtLast, 'a model is lost with each deletion, later', models(true, when(isLate, loseEach)), lostModels],
  [keptAtLast, 'a model is lost elsewhere', models(false, lose), lostOnce],
  [keptAtLast, 'a model is lost elsewhere with each deletion', models(false, loseEach), lostModels],
  [
    'delete.models-removed',
    'models are listed again',
    models(
      true,
      when(
        ({ deletions }) => deletions > 1,
        (records, { deleted }) => [{ id: 'm', databaseConnectionId: deleted['id'] }, ...records],
      ),
    ),
    'warned: expected its models still gone after it was deleted again; got 1 listed again',
  ],
  [
    'delete.models-removed',
    'models are listed again for a while',
    models(
      true,
      when(
        ({ deletions, seconds }) => deletions > 1 && seconds < 25,
        (records, { deleted }) => [{ id: 'm', databaseConnectionId: deleted['id'] }, ...records],
      ),
    ),
    undefined,
  ],
] as const)('%s, where %s', async (id, _what, made, said) => {
  expect(await saidBy(id, { through: listing(made) })).toEqual(
    said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))],
  );
});

test('what another client deletes just before a race of deletions is not raced for', async () => {
  const through: Through = (behind, _clock, { principals }) => {
    let isDeleted = false;
    return async (request) => {
      const answer = await behind(request);
      const [, organization = ''] = /organizations\/([^/]+)/.exec(request.path) ?? [];
      const admin = principals.find(({ adminOf }) => adminOf.includes(organization));
      const isDenied = request.method === 'DELETE' && answer.status >= 400;
      if (isDeleted && isDenied && admin !== undefined)
        await behind({ ...request, headers: { ...request.headers, authorization: `Bearer ${admin.key}` } });
      isDeleted ||= request.method === 'DELETE' && answer.status < 300;
      return answer;
    };
  };
  expect(await saidBy('delete.gone-or-marked/at-once', { through })).toEqual([
    'blocked: a disposable data source is not listed any more',
  ]);
});

test('what an earlier run deleted does not explain what is lost now', async () => {
  const part = ({ organizations, ...target }: Target): Target => ({
    ...target,
    organizations: organizations.map((one) => ({
      ...one,
      disposableDataSources: ['deleted-before', ...one.disposableDataSources],
    })),
  });
  expect(await saidBy(sources, { part, through: listing(own(loseEach)) })).toEqual([expect.stringMatching(lostOwn)]);
});

test.each([
  ['stays listed', 'models', lostOnce],
  ['is gone, too', undefined, 'blocked: only data sources of org_main that are declared disposable are gone'],
] as const)('where the models of a disposable data source are lost later, which %s', async (_what, list, said) => {
  const through: Through = (behind, clock, target) => {
    const ids: readonly unknown[] = target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources);
    const isHit = ({ databaseConnectionId: sourceId }: Listed, { deleted }: Asked): boolean =>
      ids.includes(sourceId) && sourceId !== deleted['id'];
    const made: Made = (records, asked) => {
      if (!asked.isOwn || !isLate(asked) || (list !== undefined && asked.list !== list)) return records;
      return records.filter(
        (one) => !isHit(asked.list === 'models' ? one : { databaseConnectionId: one['id'] }, asked),
      );
    };
    return listing(made)(behind, clock, target);
  };
  expect(await saidBy(keptAtLast, { through })).toEqual([expect.stringMatching(new RegExp(`^${said}`))]);
});

test('a lost data source of the same creation time tells nothing where all have that time', async () => {
  const choices = { 'created-at': 'all-equal' };
  let lost: unknown;
  const loseOne: Made = (records) => {
    lost ??= records[7]?.['id'];
    return records.filter((one) => one['id'] !== lost);
  };
  expect(await saidBy(sourcesAtLast, { through: listing(own(loseOne)), choices })).toEqual([
    expect.stringMatching(new RegExp(`^${lostOnce}`)),
  ]);
});

type Deletion = {
  readonly id: string;
  readonly before: readonly string[];
  readonly status: number;
};

/** Deletions that are answered with another status, whatever becomes of them. */
const answering =
  (statusOf: (deletion: Deletion) => number | undefined): Through =>
  (behind) => {
    const before: string[] = [];
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'DELETE') return answer;
      const id = request.path.split('/').at(-1) ?? '';
      const status = statusOf({ id, before: [...before], status: answer.status });
      if (answer.status < 300) before.push(id);
      if (status === undefined) return answer;
      return status < 300 ? { ...answer, status } : errorAnswer(status);
    };
  };

const isUnknown = ({ id, before }: Deletion): boolean => before.length > 0 && !before.includes(id);
const isSecond = ({ id, before }: Deletion): boolean => before.includes(id);

test.each([
  [
    'delete.record',
    'are refused',
    ({ status }: Deletion) => (status < 300 ? 403 : undefined),
    'failed: expected 2xx for a data source that is declared disposable',
  ],
  [
    'delete.record-types',
    'are refused',
    ({ status }: Deletion) => (status < 300 ? 403 : undefined),
    'blocked: deleting .* was refused: 404',
  ],
  [
    'delete.unknown',
    'of unknown ones are answered 200',
    (one: Deletion) => (isUnknown(one) ? 200 : undefined),
    'failed: expected no 2xx for .*, which does not exist',
  ],
  [
    'delete.unknown',
    'of unknown ones are answered 400',
    (one: Deletion) => (isUnknown(one) ? 400 : undefined),
    undefined,
  ],
  [
    'delete.unknown-no-5xx',
    'of unknown ones are answered 500',
    (one: Deletion) => (isUnknown(one) ? 500 : undefined),
    '(warned|failed): expected no 5xx for .*, which does not exist',
  ],
  [
    'delete.twice-no-5xx',
    'are answered 500 the second time',
    (one: Deletion) => (isSecond(one) ? 500 : undefined),
    '(warned|failed): expected no 5xx for the second deletion',
  ],
  [
    'delete.twice-no-5xx',
    'are answered 410 the second time',
    (one: Deletion) => (isSecond(one) ? 410 : undefined),
    undefined,
  ],
] as const)('%s, where deletions %s', async (id, _what, statusOf, said) => {
  expect(await saidBy(id, { through: answering(statusOf) })).toEqual(
    said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))],
  );
});

/** The repetitions of deletions: the first is that of the recorded one, and then come two for each data source of the race. */
const repeatedWith =
  (status: number, isMeant: (count: number) => boolean): Through =>
  (...given) => {
    let count = 0;
    return answering((one) => (isSecond(one) && isMeant((count += 1)) ? status : undefined))(...given);
  };

test.each([
  ['one', (count: number) => count === 2, []],
  ['one of each data source', (count: number) => count % 2 === 0, []],
  [
    'most',
    (count: number) => count > 1,
    [expect.stringMatching(/^warned: .*an internal error for most of 3 simultaneous requests, 2 of 2 times/)],
  ],
] as const)('of deletions at once, %s ends in an internal error', async (_which, isMeant, said) => {
  const through = repeatedWith(500, isMeant);
  expect(await saidBy('delete.twice-no-5xx/at-once', { through, seed: 2 })).toEqual(said);
});

test('where the deleted data source was the only one, no other one shows an effect', async () => {
  const through: Through = (behind, _clock, { organizations }) => {
    const [only] = organizations.find(({ id }) => id === 'org_main')?.disposableDataSources ?? [];
    let isDeleted = false;
    return async (request) => {
      const answer = await behind(request);
      isDeleted ||= request.method === 'DELETE' && answer.status < 300;
      if (request.method !== 'GET' || !request.path.includes('/org_main/data-sources') || answer.status !== 200) {
        return answer;
      }
      const { data } = JSON.parse(Buffer.from(answer.body).toString());
      const body = {
        data: isDeleted ? [] : [{ ...data[0], id: only }],
        pagination: { hasMore: false, nextCursor: null },
      };
      return { ...answer, body: Buffer.from(JSON.stringify(body)) };
    };
  };
  const part = (target: Target): Target => {
    const [only] = target.organizations.find(({ id }) => id === 'org_main')?.disposableDataSources ?? [];
    return {
      ...target,
      organizations: target.organizations
        .filter(({ id }) => id === 'org_main')
        .map((one) => ({ ...one, disposableDataSources: only === undefined ? [] : [only] })),
    };
  };
  expect(await saidBy('delete.others-untouched', { part, through })).toEqual([
    expect.stringMatching(/^blocked: needs a second data source in org_main: the deleted one was the only one/),
  ]);
});

/** Data sources may be deleted only elsewhere. */
const notInMain = (target: Target): Target => ({
  ...target,
  organizations: target.organizations.map((one) =>
    one.id === 'org_main' ? { ...one, disposableDataSources: [] } : one,
  ),
});

test.each(['delete.others-untouched/models', 'models.required-fields/after-deletion'])(
  '%s reads the models of other organizations, where those with disposable data sources have none',
  async (id) => {
    let isDeleted = false;
    let reads = 0;
    const through: Through = (behind) => async (request) => {
      const answer = await behind(request);
      isDeleted ||= request.method === 'DELETE' && answer.status < 300;
      if (isDeleted && request.path.includes('/org_main/models')) reads += 1;
      if (!request.path.includes('/org_other/models') || answer.status !== 200) return answer;
      return { ...answer, body: Buffer.from('{"data":[],"pagination":{"nextCursor":null,"hasMore":false}}') };
    };
    expect(await saidBy(id, { part: notInMain, through })).toEqual([]);
    expect(reads).toBeGreaterThan(0);
  },
);
