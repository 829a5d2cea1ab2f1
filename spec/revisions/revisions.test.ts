import { expect, test } from 'vitest';
import { sampleErratum } from '../../testing/samples/erratum.ts';
import { requirement } from '../catalogue.ts';
import { errataSentences } from '../errata.ts';
import { digestOf } from './revision.ts';
import { currentRevision, revisions } from './revisions.ts';

test.each([...revisions.values()])(
  'revision $number is frozen: a changed requirement gets a new id and belongs to the next revision',
  ({ digest, requirements, errata }) => {
    expect(digestOf({ requirements, errata })).toBe(digest);
    expect(new Set(requirements).size).toBe(requirements.length);
  },
);

test.each([...revisions.values()])(
  'each erratum of revision $number is about it, with date, link and reason',
  (revision) => {
    for (const erratum of revision.errata) {
      expect(revision.requirements).toContain(erratum.requirement);
      expect(erratum.date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(erratum.link).toMatch(/^(https:\/\/|spec\/derivations\.md$)/);
      expect(erratum.reason).toMatch(/^[A-Z].*\.$/);
      const levels = erratum.kind === 'lowered' ? [erratum.published, requirement(erratum.requirement).level] : [];
      expect(levels).toEqual(erratum.kind === 'lowered' ? ['must', 'should'] : []);
    }
  },
);

test('an erratum is shown in a sentence', () => {
  expect(errataSentences([...currentRevision.errata, sampleErratum], 'paging.walk')).toEqual([
    'Erratum of 2027-01-01: paging.walk/listModels does not count. A list may change during a walk. See https://example.com/1.',
  ]);
  expect(errataSentences(currentRevision.errata, 'wait.refused')).toEqual([
    expect.stringMatching(/^Erratum of 2026-11-23: published as a must, counts as a should\. /),
  ]);
});

test('the digest depends on which requirements there are, on their order, and on their published level', () => {
  const { digest, requirements, errata } = currentRevision;
  expect(digestOf({ requirements: requirements.slice(1), errata })).not.toBe(digest);
  expect(digestOf({ requirements: requirements.toReversed(), errata })).not.toBe(digest);
  expect(digestOf({ requirements, errata: [] })).not.toBe(digest);
});
