import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../../testing/try-traffic.ts';

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

const list = `org_1/${sources}`;
const oldest = { id: 's0', createdAt: '2025-12-31T00:00:00Z' };
const shown = entryAt(0, 'GET', list, page([newer, deleted, older, oldest]));
const end = entryAt(2, 'GET', after, page([]));
const shownLater = entryAt(8, 'GET', list, page([newer, older, oldest]));

test.each([
  ['an empty page follows, although older items are still listed', [shown, deletion, end, shownLater], true],
  ['an older item follows', [shown, deletion, entryAt(2, 'GET', after, page([older])), shownLater], false],
  ['the cursor is refused', [shown, deletion, entryAt(2, 'GET', after, refusal, { status: 404 }), shownLater], false],
  ['the end came before the deletion', [shown, deletion, entryAt(0, 'GET', after, page([])), shownLater], false],
  ['the older items were not listed before', [deletion, end, shownLater], false],
  ['one of them is not listed later', [shown, deletion, end, entryAt(8, 'GET', list, page([newer, oldest]))], false],
  ['a copy may still list them', [shown, deletion, end, entryAt(4, 'GET', list, page([newer, older, oldest]))], false],
  [
    'one of them was deleted too',
    [shown, deletion, entryAt(1, 'DELETE', `${list}/s1`, { data: older }), end, shownLater],
    false,
  ],
  [
    'one of them was deleted afterwards',
    [shown, deletion, end, shownLater, entryAt(9, 'DELETE', `${list}/s1`, { data: older })],
    true,
  ],
  [
    'one of them is as old as the deleted one',
    [
      entryAt(0, 'GET', list, page([newer, deleted, twin, oldest])),
      deletion,
      end,
      entryAt(8, 'GET', list, page([newer, twin, oldest])),
    ],
    false,
  ],
  ['a limit of 0 was asked for', [shown, deletion, entryAt(2, 'GET', `${after}&limit=0`, page([])), shownLater], false],
  [
    'another list was read',
    [shown, deletion, end, entryAt(8, 'GET', `org_2/${sources}`, page([older, oldest]))],
    false,
  ],
])('an end after a deleted data source: %s', (_case, entries, isBroken) => {
  expect(brokenIn(harOf(entries), undefined).includes('delete.cursor-reaches-the-rest')).toBe(isBroken);
});
