import { expect, test } from 'vitest';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { givenPartition } from './model-lists.ts';
import type { FilterCase } from './model-filters.ts';

/** The data sources of an organization, by how many models each has. */
function organization(organizationId: string, ...counts: readonly number[]): readonly FilterCase[] {
  const admin = { name: 'alice', key: 'key', variable: 'AWC_KEY_ALICE', adminOf: [organizationId] };
  const walk = { items: [], pages: [], complete: true };
  const list: ListFixture = { list: 'listModels', organizationId, admin, walk };
  return counts.map((count, place) => ({
    list,
    sourceId: `${organizationId}${place}`,
    models: Array.from({ length: count }, (_, index) => ({ id: `${index}`, createdAt: undefined, record: {} })),
    disposable: false,
  }));
}

const tooMany = organization('t', 1, 1, 1, 9, 1, 1, 1, 8, 0);
const eight = organization('e', 1, 1, 1, 1, 1, 1, 1, 1);
const three = organization('s', 0, 2, 1);
const lopsided = organization('l', 90, 0);

test.each([
  [
    'that few filters cover, however many models another has',
    [tooMany, three],
    ['s1', 's2', 's0', 't3', 't7', 't0', 't1', 't2'],
  ],
  ['that just as many filters cover as may be', [eight, three], ['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']],
  ['that has models of two data sources', [lopsided, three], ['s1', 's2', 's0']],
  ['that has the most models', [organization('a', 1, 1), organization('b', 2, 1)], ['b0', 'b1']],
  [
    'alone, without the empty data sources of the others',
    [organization('a', 1, 1), organization('o', ...Array(9).fill(0))],
    ['a0', 'a1'],
  ],
] as const)('the filters of an organization %s are compared', (_what, groups, sourceIds) => {
  for (const ordered of [groups, groups.toReversed()]) {
    expect(givenPartition(ordered.flat()).map(({ sourceId }) => sourceId)).toEqual(sourceIds);
  }
});
