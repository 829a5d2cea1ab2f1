import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../../testing/try-traffic.ts';

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
