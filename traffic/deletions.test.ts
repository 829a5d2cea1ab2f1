import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../testing/try-traffic.ts';

const [older, deleted, twin, newer] = [
  { id: 's1', createdAt: '2026-01-01T00:00:00Z' },
  { id: 's2', createdAt: '2026-01-02T00:00:00Z' },
  { id: 's3', createdAt: '2026-01-02T00:00:00Z' },
  { id: 's4', createdAt: '2026-01-03T00:00:00Z' },
];

function page(items: readonly { readonly id: string }[]) {
  return { data: items, pagination: { nextCursor: null, hasMore: false } };
}

const sources = 'data-sources';
const deletion = entryAt(1, 'DELETE', `org_1/${sources}/s2`, { data: deleted });
const after = `org_1/${sources}?cursor=s2`;
const refusal = { error: { title: 'NotFound', detail: 'There is no such data source.' } };

test.each([
  ['a newer data source follows the deleted one', [deletion, entryAt(2, 'GET', after, page([newer, older]))], true],
  ['an older one follows', [deletion, entryAt(2, 'GET', after, page([older]))], false],
  ['one of the same instant follows', [deletion, entryAt(2, 'GET', after, page([twin, older]))], false],
  ['nothing follows', [deletion, entryAt(2, 'GET', after, page([]))], false],
  ['the cursor is refused', [deletion, entryAt(2, 'GET', after, refusal, { status: 404 })], false],
  ['the page was asked for before', [deletion, entryAt(0, 'GET', after, page([newer, older]))], false],
  ['another list was asked for', [deletion, entryAt(2, 'GET', after.replace('org_1', 'org_2'), page([newer]))], false],
  ['two cursors were given', [deletion, entryAt(2, 'GET', `${after}&cursor=s9`, page([newer, older]))], false],
  [
    'the deletion was refused',
    [
      entryAt(1, 'DELETE', `org_1/${sources}/s2`, refusal, { status: 404 }),
      entryAt(2, 'GET', after, page([newer, older])),
    ],
    false,
  ],
])('%s', (_case, entries, isBroken) => {
  expect(brokenIn(harOf(entries), undefined).includes('delete.cursor-keeps-place')).toBe(isBroken);
});
