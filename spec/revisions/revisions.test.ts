import { expect, test } from 'vitest';
import { requirement } from '../catalogue.ts';
import { digestOf } from './revision.ts';
import { currentRevision, revisions } from './revisions.ts';

test.each([...revisions.values()])(
  'revision $number is frozen: a changed requirement gets a new id and belongs to the next revision',
  ({ digest, requirements, errata }) => {
    expect(digestOf({ requirements, errata })).toBe(digest);
    expect(new Set(requirements).size).toBe(requirements.length);
  },
);

test.each([...revisions.values()])('each erratum of revision $number makes a must of it a should', (revision) => {
  for (const { requirement: id, published, reason } of revision.errata) {
    expect(revision.requirements).toContain(id);
    expect([published, requirement(id).level]).toEqual(['must', 'should']);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});

test('the digest depends on which requirements there are, on their order, and on their published level', () => {
  const { digest, requirements, errata } = currentRevision;
  expect(digestOf({ requirements: requirements.slice(1), errata })).not.toBe(digest);
  expect(digestOf({ requirements: requirements.toReversed(), errata })).not.toBe(digest);
  expect(digestOf({ requirements, errata: [] })).not.toBe(digest);
});
