import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { catalogue } from '../spec/catalogue.ts';
import { openPoints } from '../spec/open-points.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

test('a requirement has a check, or the reason why no caller can observe it, and never both', () => {
  const checked = new Set(suites.map(({ requirement }) => requirement));
  for (const { id, unobservable } of catalogue) expect(checked.has(id), id).toBe(unobservable === undefined);
});

test('a check of a requirement about several operations names the one it tests, and each of them has one', () => {
  for (const { id, operations, unobservable } of catalogue) {
    if (unobservable !== undefined) continue;
    const tested = suites.filter(({ requirement }) => requirement === id).map(({ operation }) => operation);
    for (const operation of tested) expect(operations, id).toContain(operation);
  }
});

test('no two checks have one id', () => {
  const ids = suites.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
});

test('every open point is recorded in a run of the suite', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants });
  await runChecks(suites, session);
  const recorded = new Set(session.observations().map(({ point }) => point));
  expect(openPoints.map(({ point }) => point).filter((point) => !recorded.has(point))).toEqual([]);
});
