import { expect, test } from 'vitest';
import { sampleErratum } from '../testing/samples/erratum.ts';
import { sampleRecord } from '../testing/samples/run-records.ts';
import { currentRevision } from '../spec/revisions/revisions.ts';
import { checksOf } from './judge-revision.ts';
import { obstacles } from './obstacles.ts';

const revision = { ...currentRevision, errata: [...currentRevision.errata, sampleErratum] };

test('a check that an erratum excludes is neither run nor needed', () => {
  const ids = (known?: number) => checksOf(revision, known).map(({ id }) => id);
  expect(ids()).not.toContain(sampleErratum.check);
  expect(ids()).toHaveLength(checksOf(currentRevision).length - 1);
  const record = sampleRecord();
  expect(obstacles(record, currentRevision)).toContain(`check ${sampleErratum.check} is left out`);
  expect(obstacles(record, revision)).not.toContain(`check ${sampleErratum.check} is left out`);
});

test('a run from before the erratum is repeated with the check, as it was sent', () => {
  expect(checksOf(revision, currentRevision.errata.length)).toEqual(checksOf(currentRevision));
});
