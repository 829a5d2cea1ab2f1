import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBucketCounts } from './bucket-counts.ts';

test('counts what a map would count, in order', () => {
  const bucket = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(bucket, { maxLength: 200 }), (added) => {
      const counts = createBucketCounts();
      const expected = new Map<number, number>();
      for (const one of added) {
        counts.add(one);
        expected.set(one, (expected.get(one) ?? 0) + 1);
      }
      expect([...counts.entries()]).toEqual([...expected].toSorted(([one], [other]) => one - other));
    }),
  );
});
