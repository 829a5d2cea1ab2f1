import { expect, test } from 'vitest';
import { digestOf } from './revision.ts';
import { currentRevision, revisions } from './revisions.ts';

test.each([...revisions.values()])(
  'revision $number is frozen: a promise that has to change gets another id, and waits for the next revision',
  ({ digest, requirements }) => {
    expect(digestOf(requirements)).toBe(digest);
    expect(new Set(requirements).size).toBe(requirements.length);
  },
);

test('the digest changes with every word, and with what is added or left out', () => {
  const { digest, requirements } = currentRevision;
  expect(digestOf(requirements.slice(1))).not.toBe(digest);
  expect(digestOf(requirements.toReversed())).not.toBe(digest);
});
