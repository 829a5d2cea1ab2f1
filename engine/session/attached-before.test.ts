import { expect, test } from 'vitest';
import { createReference } from '../../reference/reference.ts';
import { mayBeAttachedBefore, mostAttachedBefore, rememberCount, seemsAttachedBefore } from './attached-before.ts';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from './session.ts';

function begin() {
  const clock = virtualClock();
  return createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
}

test('the first count of an account bounds what may have been attached before, one by one', () => {
  const session = begin();
  rememberCount(session, 'ba_1', 3);
  rememberCount(session, 'ba_1', 9);
  expect(mostAttachedBefore(session, 'ba_1')).toBe(2);
  seemsAttachedBefore(session, 'ba_1', 'org_a');
  seemsAttachedBefore(session, 'ba_1', 'org_a');
  expect(mostAttachedBefore(session, 'ba_1')).toBe(1);
  for (const id of ['org_b', 'org_c']) seemsAttachedBefore(session, 'ba_1', id);
  expect(mostAttachedBefore(session, 'ba_1')).toBe(0);
});

test('of an account that shows no count nothing is known, nor of another run or account', () => {
  const session = begin();
  rememberCount(session, 'ba_1', undefined);
  seemsAttachedBefore(session, 'ba_1', 'org_a');
  expect(mostAttachedBefore(session, 'ba_1')).toBe(0);
  rememberCount(session, 'ba_2', 5);
  expect([mostAttachedBefore(session, 'ba_1'), mostAttachedBefore(begin(), 'ba_2')]).toEqual([0, 0]);
});

test.each([
  [0, 0],
  [1, 0],
  [2, 2],
  [3, 3],
] as const)('of an account that counts %s at first, %s may look attached', (count, most) => {
  const session = begin();
  rememberCount(session, 'ba_1', count);
  let looking = 0;
  while (looking < 9 && mayBeAttachedBefore(session, 'ba_1')) seemsAttachedBefore(session, 'ba_1', `org_${looking++}`);
  expect(looking).toBe(most);
});
