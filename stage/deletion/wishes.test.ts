import { expect, test } from 'vitest';
import type { Disposable } from './still-listed.ts';
import { wished, wishesIn } from './wishes.ts';

const admin = { name: 'alice', key: 'k', variable: '$A', adminOf: ['short', 'long'] };

/** A list with so many items, whose IDs are those of the organization and their places. */
function listOf(organizationId: string, length: number) {
  return Array.from({ length }, (_, place) => {
    const id = `${organizationId}-${place}`;
    return { id, createdAt: '2026-01-15T12:00:00Z', record: { id } };
  });
}

function disposable(id: string): Disposable {
  const organizationId = id.split('-')[0] ?? '';
  return { id, organizationId, admin, record: { id } };
}

const chosen = (ids: readonly string[], withModels: readonly string[] = ids, long = 52) =>
  wished(
    ids.map(disposable),
    wishesIn([listOf('short', 10), listOf('long', long)], ({ id }) => withModels.includes(id)),
  ).map(({ id }) => id);

test('the first to delete is of a list that fills a page without a limit afterwards, if there is such a one with models', () => {
  expect(chosen(['short-5', 'long-5', 'long-6'])).toEqual(['long-5', 'long-6']);
  expect(chosen(['short-5', 'long-5'], ['short-5'])).toEqual(['short-5']);
  expect(chosen(['short-5', 'long-5'], undefined, 51)).toEqual(['short-5', 'long-5']);
});

test('it is inside its list rather than in a long one', () => {
  expect(chosen(['short-5', 'long-0', 'long-51', 'long-50'])).toEqual(['short-5']);
  expect(chosen(['short-0', 'long-50', 'long-51'])).toEqual(['long-50']);
});
