import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { opaqueKeys } from './opaque-keys.ts';

const header = 'idempotency-key';

/** Whether two keys differ in one character, which is neither the first nor the last. */
function differInside(one: string, other: string): boolean {
  const places = [...one].flatMap((character, place) => (character === other[place] ? [] : [place]));
  const [place = 0] = places;
  return one.length === other.length && places.length === 1 && place > 0 && place < one.length - 1;
}

test.each([
  ['violated', differInside],
  ['passed', () => false],
] as const)('keys that differ in one character somewhere: %s', async (kind, areTaken) => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const known: string[] = [];
  const careless: Deployment = (request) => {
    const key = request.headers[header];
    if (key === undefined) return deployment(request);
    const taken = known.find((one) => areTaken(one, key)) ?? key;
    known.push(taken);
    return deployment({ ...request, headers: { ...request.headers, [header]: taken } });
  };
  const session = createSession({ deployment: careless, target, clock, seed: 1, invariants: [] });
  const judged = await runChecks(opaqueKeys.slice(0, 1), session);
  expect(judged.map(({ verdict }) => verdict.kind)).toEqual([kind]);
});
