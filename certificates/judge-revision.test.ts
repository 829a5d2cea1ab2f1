import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { Api } from '../engine/api.ts';
import { check } from '../engine/check.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { withEvidence } from './judge-revision.ts';

const clock = virtualClock();
const api = new Api(createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] }), 'check');

test.each([
  ['passes', async () => {}],
  ['fails', () => Promise.reject(new Error('no'))],
])('a check that %s hands over its exchanges, and settles when it does without that', async (_how, run) => {
  const handedOver: string[] = [];
  let own: Promise<void> | undefined;
  const watched = check('delete.unknown', () => (own = run()));
  const [one] = withEvidence([watched], (id) => handedOver.push(id));
  const ended = one?.run(api);
  expect(ended).toBe(own);
  await Promise.allSettled([ended]);
  expect(handedOver).toEqual(['delete.unknown']);
});
