import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

/** The findings of three runs, one after the other, on one deployment whose fixtures are not replenished. */
async function threeRuns(choices: Readonly<Record<string, string>>, part: (target: Target) => Target) {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1, choices });
  const said: string[] = [];
  for (const seed of [1, 2, 3]) {
    const session = createSession({ deployment, target: part(target), clock, seed, invariants, outages });
    for (const { check, verdict } of await runChecks(suites, session)) {
      if (verdict.kind !== 'passed') said.push(`run ${seed}: ${check.id} ${verdict.kind}`);
    }
  }
  return said;
}

const whole = (target: Target): Target => target;
const thin = (target: Target): Target => ({
  ...target,
  billingAccounts: target.billingAccounts.map((account) => ({
    ...account,
    attachable: account.attachable.slice(0, 1),
  })),
  organizations: target.organizations.map((one) => ({
    ...one,
    disposableDataSources: one.disposableDataSources.slice(0, 2),
  })),
});

test.each([
  ['all that is declared', {}, whole],
  ['little', {}, thin],
  ['little, where attaching again is refused', { 'attach-again': 'refuse' }, thin],
  ['all, of which a few go to a second account', { 'attachable-to-first': '5' }, whole],
  ['all, of which most go to a second account', { 'attachable-to-first': '2' }, whole],
  ['all, refused again and without the owner', { 'owner-counted': 'no', 'attach-again': 'refuse' }, whole],
] as const)('using up %s causes no failed check in later runs', async (_, choices, part) => {
  const said = await threeRuns(choices, part);
  expect(said.filter((line) => !line.endsWith(' blocked'))).toEqual([]);
  expect(said).toContain('run 3: attach.count blocked');
});
