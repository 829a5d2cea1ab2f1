import { expect, test } from 'vitest';
import { plainTarget } from '../../testing/samples/plain-target.ts';
import type { Target } from '../../core/target.ts';
import type { MixEntry } from '../profile/mix.ts';
import { wholeLoad } from './arrivals.ts';
import { createRequestPlan, type Planned } from './request-plan.ts';

const target = plainTarget({
  principals: [
    { name: 'alice', key: 'ka', variable: '$A', adminOf: ['org/1', 'owner'] },
    { name: 'bob', key: 'kb', variable: '$B', adminOf: ['org/1'] },
    { name: 'carol', key: 'kc', variable: '$C', adminOf: [] },
  ],
  organizations: [
    { id: 'org/1', chats: ['c1', 'c2'], disposableDataSources: [] },
    { id: 'owner', chats: [], disposableDataSources: [] },
    { id: 'nobodys', chats: ['c9'], disposableDataSources: [] },
  ],
  billingAccounts: [{ id: 'ba', owner: 'owner', attachable: [] }],
  idempotencyHeader: 'idempotency-key',
  allow: new Set(['load', 'messages']),
});

const lists: MixEntry = { operation: 'listModels', weight: 3, limits: [10, 20], pages: 3, filters: true };
const billing: MixEntry = { operation: 'getBillingAccount', weight: 1 };
const messages: MixEntry = { operation: 'sendMessage', weight: 1, waitSeconds: 5, prompt: 'quick', ifAllowed: false };

function planOf(mix: readonly MixEntry[], { seed = 1, now = (): number => 0, from = target, shard = wholeLoad } = {}) {
  return createRequestPlan({ target: from, profile: { mix, timeoutMs: 1000 }, seed, shard, runId: 'run', now });
}

function pathOf(planned: Planned): string {
  return planned.kind === 'request' ? planned.request.request.path : 'dropped';
}

test('draws by weight, over every declared input and every admin, and never as another principal', () => {
  const plan = planOf([lists, billing]);
  const all = Array.from({ length: 4000 }, (_, index) => plan.at(index));
  const distinct = new Set(all);
  expect(distinct.size).toBe(2 * 2 + 2 + 1);
  const requests = [...distinct].flatMap((planned) => (planned.kind === 'request' ? [planned.request] : []));
  expect(new Set(requests.map(({ caller }) => caller))).toEqual(new Set(['alice', 'bob']));
  expect(new Set(requests.map(({ request }) => request.path))).toEqual(
    new Set([
      '/api/public/organizations/org%2F1/models?limit=10',
      '/api/public/organizations/org%2F1/models?limit=20',
      '/api/public/organizations/owner/models?limit=10',
      '/api/public/organizations/owner/models?limit=20',
      '/api/public/billing-accounts/ba',
    ]),
  );
  const share = all.filter((planned) => pathOf(planned).includes('billing')).length / all.length;
  expect(share).toBeGreaterThan(0.22);
  expect(share).toBeLessThan(0.28);
});

test('what stands at a place follows from the seed alone', () => {
  const paths = (seed: number, order: readonly number[]) => {
    const plan = planOf([lists, billing], { seed });
    return new Map(order.map((index) => [index, pathOf(plan.at(index))]));
  };
  const forwards = paths(5, [0, 1, 2, 3, 4, 5, 6, 7]);
  const backwards = paths(5, [7, 6, 5, 4, 3, 2, 1, 0]);
  for (const [index, path] of forwards) expect(backwards.get(index)).toBe(path);
  expect([...paths(6, [0, 1, 2, 3, 4, 5, 6, 7]).values()]).not.toEqual([...forwards.values()]);
});

test('a chat gets one message at a time, and rests while it may still be generating', () => {
  let now = 0;
  const plan = planOf([messages], { now: () => now });
  const [one, two, three] = [plan.at(0), plan.at(1), plan.at(2)];
  expect(one).toMatchObject({ request: { sure: 'new key' } });
  expect([pathOf(one), pathOf(two), pathOf(three)]).toEqual([
    '/api/public/organizations/org%2F1/chats/c1/messages?wait=5',
    '/api/public/organizations/org%2F1/chats/c2/messages?wait=5',
    'dropped',
  ]);
  if (one.kind === 'request') one.done(200);
  if (two.kind === 'request') two.done(202);
  const again = plan.at(3);
  expect(pathOf(again)).toBe(pathOf(one));
  expect(pathOf(plan.at(4))).toBe('dropped');
  now = 120_000;
  expect(pathOf(plan.at(5))).toBe(pathOf(two));
  if (again.kind !== 'request' || one.kind !== 'request') throw new Error('dropped');
  expect(again.request.request.headers['idempotency-key']).not.toBe(one.request.request.headers['idempotency-key']);
  expect(again.request.request.timeoutMs).toBe(6000);
});

test('says what it has nothing for', () => {
  const bare: Target = { ...target, organizations: [], billingAccounts: [] };
  const plan = planOf([lists, billing, messages], { from: bare });
  expect(plan.operations).toEqual([]);
  expect(plan.missing).toEqual([
    'listModels is left out: the target file declares no organization that a principal is adminOf',
    'getBillingAccount is left out: the target file declares no billing account whose owner has an admin among the principals',
    'sendMessage is left out: no declared chat has an admin among the principals',
  ]);
});

test('shards write to chats of their own, and one that has none withholds its messages', () => {
  const written = [1, 2, 3].map((index) => {
    const plan = planOf([messages], { shard: { index, of: 3 } });
    return Array.from({ length: 3 }, (_, place) => /chats\/(\w+)/.exec(pathOf(plan.at(place)))?.[1]);
  });
  expect(written).toEqual([
    ['c1', undefined, undefined],
    ['c2', undefined, undefined],
    [undefined, undefined, undefined],
  ]);
});

/** A deployment with five data sources and five models, two of them of source s2, in pages of the limit. */
function answerTo(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  const isModels = pathname.endsWith('/models');
  const filter = searchParams.get('databaseConnectionId');
  const all = [1, 2, 3, 4, 5].map((n) => ({
    id: `${isModels ? 'm' : 's'}${n}`,
    ...(isModels ? { databaseConnectionId: n > 3 ? 's2' : 's1' } : {}),
  }));
  const items = filter === null ? all : all.filter((item) => item.databaseConnectionId === filter);
  const from = items.findIndex(({ id }) => id === searchParams.get('cursor')) + 1;
  const data = items.slice(from, from + Number(searchParams.get('limit')));
  const hasMore = from + data.length < items.length;
  return JSON.stringify({ data, pagination: { hasMore, nextCursor: hasMore ? data.at(-1)?.id : null } });
}

test('lists are walked: later pages, and models by data source, but neither a cursor nor a filter that may be deleted', () => {
  const pages = { weight: 1, limits: [2], pages: 3, filters: true } as const;
  const [first] = target.organizations;
  if (first === undefined) throw new Error('no organization');
  const from = { ...target, organizations: [{ ...first, disposableDataSources: ['s1', 's4'] }], billingAccounts: [] };
  const plan = planOf(
    [
      { operation: 'listModels', ...pages },
      { operation: 'listDataSources', ...pages },
    ],
    { from },
  );
  const seen = new Map<string, number>();
  for (let index = 0; index < 2000; index += 1) {
    const planned = plan.at(index);
    if (planned.kind !== 'request') throw new Error('dropped');
    const { path } = planned.request.request;
    expect(planned.request.sure).toBe(path.includes('cursor') ? 'next page' : undefined);
    seen.set(path.slice(path.indexOf('%2F1') + 4), (seen.get(path.slice(path.indexOf('%2F1') + 4)) ?? 0) + 1);
    planned.done(200, [Buffer.from(answerTo(path))]);
  }
  expect([...seen.keys()].toSorted()).toEqual([
    '/data-sources?limit=2',
    '/data-sources?limit=2&cursor=s2',
    '/models?limit=2',
    '/models?limit=2&cursor=m2',
    '/models?limit=2&cursor=m4',
    '/models?limit=2&databaseConnectionId=s2',
  ]);
  const share = ((seen.get('/models?limit=2') ?? 0) + (seen.get('/data-sources?limit=2') ?? 0)) / 2000;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.6);
});

test('most requests for a list go to organizations that have items, and an empty one is still read at times', () => {
  const from = { ...target, organizations: [...target.organizations] };
  const ids = ['org/1', 'new1', 'new2', 'new3', 'new4', 'new5', 'new6', 'new7', 'new8'];
  from.organizations = ids.map((id) => ({ id, chats: [], disposableDataSources: [] }));
  from.principals = target.principals.map((principal) => ({ ...principal, adminOf: ids }));
  const plan = planOf([{ operation: 'listModels', weight: 1, limits: [2, 3], pages: 3, filters: true }], { from });
  const empty = JSON.stringify({ data: [], pagination: { hasMore: false, nextCursor: null } });
  const paths = Array.from({ length: 2000 }, (_, index) => {
    const planned = plan.at(index);
    if (planned.kind !== 'request') throw new Error('dropped');
    const { path } = planned.request.request;
    planned.done(200, [Buffer.from(path.includes('org%2F1') ? answerTo(path) : empty)]);
    return path;
  });
  const share = (part: string) => paths.filter((path) => path.includes(part)).length / paths.length;
  expect(share('org%2F1')).toBeGreaterThan(0.85);
  expect(share('cursor')).toBeGreaterThan(0.35);
  for (const id of ids) expect(share(id.replace('/', '%2F'))).toBeGreaterThan(0.002);
});

test('an organization is not taken for empty because of an error, or of one empty page among others', () => {
  const answers = [
    '{"error":{}}',
    JSON.stringify({ data: [] }),
    answerTo('/models?limit=2'),
    JSON.stringify({ data: [] }),
  ];
  const plan = planOf([{ operation: 'listModels', weight: 1, limits: [1, 2, 3, 4], pages: 1, filters: false }]);
  const paths = Array.from({ length: 1000 }, (_, index) => {
    const planned = plan.at(index);
    if (planned.kind !== 'request') throw new Error('dropped');
    planned.done(200, [Buffer.from(answers[index % answers.length] ?? '')]);
    return planned.request.request.path;
  });
  const share = paths.filter((path) => path.includes('owner')).length / paths.length;
  expect(share).toBeGreaterThan(0.28);
  expect(share).toBeLessThan(0.39);
});

test('a page that is refused is not asked for again, and pages: 1 asks for first pages only', () => {
  const entry = { operation: 'listModels', weight: 1, limits: [2], pages: 3, filters: false } as const;
  const pathsOf = (mix: MixEntry) => {
    const plan = planOf([mix]);
    return Array.from({ length: 400 }, (_, index) => {
      const planned = plan.at(index);
      if (planned.kind !== 'request') throw new Error('dropped');
      const { path } = planned.request.request;
      if (path.includes('cursor')) planned.done(404);
      else planned.done(200, [Buffer.from(answerTo(path))]);
      return path;
    }).filter((path) => path.includes('cursor'));
  };
  const refused = pathsOf(entry);
  expect(refused.length).toBeGreaterThan(0);
  // One for each list: of two organizations, as each of their admins.
  expect(refused.length).toBeLessThanOrEqual(3);
  expect(pathsOf({ ...entry, pages: 1 })).toEqual([]);
});

test('messages that are sent only if they are allowed are left out otherwise', () => {
  const mix: readonly MixEntry[] = [billing, { ...messages, ifAllowed: true }];
  expect(planOf(mix).operations).toEqual(['getBillingAccount', 'sendMessage']);
  const from = { ...target, allow: new Set(['load'] as const) };
  expect(planOf(mix, { from })).toMatchObject({
    operations: ['getBillingAccount'],
    missing: ['sendMessage is left out: the target file does not allow messages'],
  });
  expect(planOf([billing, messages], { from }).operations).toContain('sendMessage');
});

const attaching: MixEntry = { operation: 'attachOrganization', weight: 3, most: 1, ifAllowed: true };
const deleting: MixEntry = { operation: 'deleteDataSource', weight: 3, most: 2, ifAllowed: true };
const sourceLists: MixEntry = { operation: 'listDataSources', weight: 1, limits: [2], pages: 3, filters: true };

const declaring: Target = {
  ...target,
  organizations: [
    { id: 'org/1', chats: [], disposableDataSources: ['gone', 's1', 's4', 's5'] },
    { id: 'owner', chats: [], disposableDataSources: [] },
  ],
  billingAccounts: [{ id: 'ba', owner: 'owner', attachable: ['org/1', 'unknown'] }],
  allow: new Set(['load', 'attachments', 'deletions']),
};

/** What a plan sends that changes something, while every list is answered and the rest has this outcome. */
function changes(mix: readonly MixEntry[], outcome: number, from = declaring, shard = wholeLoad, first = 0) {
  const plan = planOf(mix, { from, shard });
  const sent = Array.from({ length: 300 }, (_, place) => {
    const planned = plan.at(first + place);
    if (planned.kind === 'dropped') return [];
    const { method, path, body } = planned.request.request;
    planned.done(method === 'GET' ? 200 : outcome, [Buffer.from(answerTo(path))]);
    return method === 'GET'
      ? []
      : [`${method} ${path.replace('/api/public/', '')} ${typeof body === 'string' ? body : ''}`.trim()];
  });
  return { sent: sent.flat(), missing: plan.missing };
}

test('what is declared for it is attached and deleted once, and only what a list has shown is deleted', () => {
  const { sent, missing } = changes([sourceLists, attaching, deleting], 200);
  expect(missing).toEqual([]);
  expect(sent.toSorted()).toEqual([
    'DELETE organizations/org%2F1/data-sources/s1',
    'DELETE organizations/org%2F1/data-sources/s4',
    'POST billing-accounts/ba/organizations {"organizationId":"org/1"}',
  ]);
});

test('nothing is used up in the warm-up, by a second shard, or where it is not allowed or not declared', () => {
  const mix = [sourceLists, attaching, deleting];
  expect(changes(mix, 200, declaring, wholeLoad, -300).sent).toEqual([]);
  expect(changes(mix, 200, declaring, { index: 2, of: 2 })).toEqual({ sent: [], missing: [] });
  expect(changes(mix, 200, { ...declaring, allow: new Set(['load']) })).toEqual({
    sent: [],
    missing: [
      'attachOrganization is left out: the target file does not allow attachments',
      'deleteDataSource is left out: the target file does not allow deletions',
    ],
  });
  const bare = { ...target, allow: declaring.allow };
  expect(changes(mix, 200, bare).missing).toEqual([
    'attachOrganization is left out: the target file declares no attachable organization with a principal who is adminOf it and of the owner of the account',
    'deleteDataSource is left out: the target file declares no disposable data source of an organization that a principal is adminOf',
  ]);
});

test('what the rate limit refused is tried again, and another refusal is explained', () => {
  expect(changes([sourceLists, deleting], 429).sent.length).toBeGreaterThan(2);
  expect(changes([sourceLists, attaching], 409).missing).toEqual([
    'attachOrganization was refused (409): an earlier run may have used up what the target file declares',
  ]);
  const [main, owner] = declaring.organizations;
  if (main === undefined || owner === undefined) throw new Error('no organizations');
  const used = { ...declaring, organizations: [{ ...main, disposableDataSources: ['gone'] }, owner] };
  expect(changes([sourceLists, deleting], 200, used)).toEqual({
    sent: [],
    missing: [
      'deleteDataSource is left out: no page that the load read shows a disposable data source; an earlier run may have used them up',
    ],
  });
});

/** The reads of data sources that a plan adds, while each is answered with this outcome and a page of one item that goes on. */
function searches(outcome: number, requests: number, itemAt = (place: number): string => `other${place}`) {
  const plan = planOf([billing, deleting], { from: declaring });
  return Array.from({ length: requests }, (_, place) => {
    const planned = plan.at(place);
    if (planned.kind === 'dropped') throw new Error('dropped');
    const { operation, request } = planned.request;
    const id = itemAt(place);
    const more = { data: [{ id }], pagination: { hasMore: true, nextCursor: id } };
    planned.done(operation === 'listDataSources' ? outcome : 200, [Buffer.from(JSON.stringify(more))]);
    return operation === 'listDataSources' ? [request.path.replace('/api/public/organizations/', '')] : [];
  }).flat();
}

test('a deletion that no page has shown is looked for in large pages, for a bounded number of requests', () => {
  expect(searches(200, 4)).toEqual([
    'org%2F1/data-sources?limit=100',
    'org%2F1/data-sources?limit=100&cursor=other1',
    'org%2F1/data-sources?limit=100&cursor=other2',
  ]);
  expect(searches(200, 300)).toHaveLength(20);
  expect(searches(429, 300)).toHaveLength(20);
  expect(searches(500, 300)).toHaveLength(1);
});

test('a data source that may be deleted is no cursor of what looks for the next one', () => {
  expect(searches(200, 300, () => 's1')).toEqual(['org%2F1/data-sources?limit=100']);
});

test('the first requests cover every operation of the mix', () => {
  const plan = planOf([lists, sourceLists, billing, messages, attaching, deleting], {
    from: { ...declaring, organizations: target.organizations, allow: new Set([...declaring.allow, 'messages']) },
  });
  const first = Array.from({ length: 5 }, (_, index) => plan.at(index));
  expect(first.map((one) => one.kind === 'request' && one.request.operation)).toEqual([
    'listModels',
    'listDataSources',
    'getBillingAccount',
    'sendMessage',
    'attachOrganization',
  ]);
});

test.each([
  [
    202,
    undefined,
    / A chat rests for 120 s \(assistant\.timeoutSeconds\) after an answer 202: give sendMessage a wait\.$/,
  ],
  [202, 5, /give sendMessage a longer wait\.$/],
  [200, 5, /declare more chats, or send fewer messages\.$/],
])('it says what helps if no chat is idle: answers %s with wait %s', (status, waitSeconds, wanted) => {
  const plan = planOf([billing, { ...messages, weight: 1000, waitSeconds }]);
  const first = plan.at(5);
  if (first.kind !== 'request') throw new Error('dropped');
  first.done(status);
  expect(plan.missing).toEqual([]);
  for (let index = 6; index < 12; index += 1) plan.at(index);
  expect(plan.missing).toEqual([
    expect.stringMatching(/^Fewer messages were sent than planned, because no chat was idle: declare more chats/),
  ]);
  expect(plan.missing[0]).toMatch(wanted);
});
