import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../testing/try-traffic.ts';

/** A recorded page of models; `second` is when it was asked for. */
function page(second: number, cursor: string | undefined, ids: readonly string[]) {
  const query = cursor === undefined ? 'limit=2' : `limit=2&cursor=${cursor}`;
  const data = ids.map((id) => ({ id, createdAt: '2026-01-01T00:00:00Z' }));
  return entryAt(second, 'GET', `org_1/models?${query}`, {
    data,
    pagination: { nextCursor: ids.at(-1), hasMore: true },
  });
}

test('an item that two pages of a walk show breaks the promise, even where nothing was read afterwards', () => {
  const first = page(1, undefined, ['m1', 'm2']);
  expect(brokenIn(harOf([first, page(2, 'm2', ['m2', 'm3'])]), undefined)).toContain('paging.walk');
  expect(brokenIn(harOf([first, page(2, 'm2', ['m3', 'm4'])]), undefined)).not.toContain('paging.walk');
});

test('a page that was asked for before the other one came did not follow it', () => {
  const pages = [page(5, undefined, ['m1', 'm2']), page(2, 'm2', ['m2', 'm3'])];
  expect(brokenIn(harOf(pages), undefined)).not.toContain('paging.walk');
});

test('pages whose border is not known to have stood still are not compared', () => {
  const pages = [page(1, undefined, ['m1', 'm2']), page(2, 'm2', ['m1', 'm3'])];
  expect(brokenIn(harOf(pages), undefined)).not.toContain('paging.walk');
  expect(brokenIn(harOf([...pages, page(3, undefined, ['m1', 'm2'])]), undefined)).toContain('paging.walk');
});

/** A recorded page that shows one record. */
function showing(second: number, path: string, record: object) {
  return entryAt(second, 'GET', path, { data: [record], pagination: { nextCursor: null, hasMore: false } });
}

const [made, changed] = ['2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'];
const model = { id: 'm1', createdAt: made, updatedAt: changed };
const secondTimes: readonly [string, string, object, boolean][] = [
  ['another createdAt', 'org_1/models', { ...model, createdAt: '2026-01-02T00:00:00Z' }, true],
  ['the same createdAt', 'org_1/models', model, false],
  ['the same createdAt, in another zone', 'org_1/models', { ...model, createdAt: '2026-01-01T02:00:00+02:00' }, false],
  ['the same createdAt, more precisely', 'org_1/models', { ...model, createdAt: '2026-01-01T00:00:00.412Z' }, false],
  ['a createdAt without a zone', 'org_1/models', { ...model, createdAt: '2026-01-02T00:00:00' }, false],
  ['a record made anew', 'org_1/models', { ...model, createdAt: changed, updatedAt: '2026-01-04T00:00:00Z' }, false],
  ['another organization', 'org_2/models', { ...model, createdAt: changed }, false],
  ['another kind of record', 'org_1/data-sources', { ...model, createdAt: changed }, false],
];

test.for(secondTimes)('a record is shown twice: %s', ([, path, record, breaks]) => {
  const recording = harOf([showing(2, 'org_1/models?limit=5', model), showing(1, path, record)]);
  expect(brokenIn(recording, undefined).includes('paging.same-records')).toBe(breaks);
});
