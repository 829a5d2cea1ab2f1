import { expect, test } from 'vitest';
import { digestOf } from './revision.ts';
import { currentRevision, revisions } from './revisions.ts';

test.each([...revisions.values()])(
  'revision $number is frozen: a changed requirement gets a new id and belongs to the next revision',
  ({ digest, requirements }) => {
    expect(digestOf(requirements)).toBe(digest);
    expect(new Set(requirements).size).toBe(requirements.length);
  },
);

test('the digest depends on which requirements there are and on their order', () => {
  const { digest, requirements } = currentRevision;
  expect(digestOf(requirements.slice(1))).not.toBe(digest);
  expect(digestOf(requirements.toReversed())).not.toBe(digest);
});
