import { expect, test } from 'vitest';
import { baseUrl, brokenIn, harOf } from '../testing/try-traffic.ts';

const [older, deleted, twin, newer] = [
  { id: 's1', createdAt: '2026-01-01T00:00:00Z' },
  { id: 's2', createdAt: '2026-01-02T00:00:00Z' },
  { id: 's3', createdAt: '2026-01-02T00:00:00Z' },
  { id: 's4', createdAt: '2026-01-03T00:00:00Z' },
];

/** A request about the data sources of an organization, sent in that second, and its answer. */
function entry(second: number, method: 'GET' | 'DELETE', path: string, body: unknown, status = 200) {
  const text = JSON.stringify(body);
  return {
    startedDateTime: `2026-11-21T12:00:0${second}.000Z`,
    time: 12,
    request: {
      method,
      url: `${baseUrl}/api/public/organizations/${path}`,
      headers: [{ name: 'Authorization', value: 'Bearer sk-0123456789abcdef' }],
      bodySize: 0,
    },
    response: {
      status,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: text.length, mimeType: 'application/json', text },
    },
  };
}

function page(items: readonly { readonly id: string }[]) {
  return { data: items, pagination: { nextCursor: null, hasMore: false } };
}

const sources = 'data-sources';
const deletion = entry(1, 'DELETE', `org_1/${sources}/s2`, { data: deleted });
const after = `org_1/${sources}?cursor=s2`;
const refusal = { error: { title: 'NotFound', detail: 'There is no such data source.' } };

test.each([
  ['a newer data source follows the deleted one', [deletion, entry(2, 'GET', after, page([newer, older]))], true],
  ['an older one follows', [deletion, entry(2, 'GET', after, page([older]))], false],
  ['one of the same instant follows', [deletion, entry(2, 'GET', after, page([twin, older]))], false],
  ['nothing follows', [deletion, entry(2, 'GET', after, page([]))], false],
  ['the cursor is refused', [deletion, entry(2, 'GET', after, refusal, 404)], false],
  ['the page was asked for before', [deletion, entry(0, 'GET', after, page([newer, older]))], false],
  ['another list was asked for', [deletion, entry(2, 'GET', after.replace('org_1', 'org_2'), page([newer]))], false],
  ['two cursors were given', [deletion, entry(2, 'GET', `${after}&cursor=s9`, page([newer, older]))], false],
  [
    'the deletion was refused',
    [entry(1, 'DELETE', `org_1/${sources}/s2`, refusal, 404), entry(2, 'GET', after, page([newer, older]))],
    false,
  ],
])('%s', (_case, entries, isBroken) => {
  expect(brokenIn(harOf(entries), undefined).includes('delete.cursor-keeps-place')).toBe(isBroken);
});
