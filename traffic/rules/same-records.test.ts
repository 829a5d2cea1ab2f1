import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../../testing/try-traffic.ts';

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
