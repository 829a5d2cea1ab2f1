import { expect, test } from 'vitest';
import type { Principal, Target } from '../core/target.ts';
import { suites } from '../suites/index.ts';
import { type Finding, runTrial } from './trial.ts';

/** The checks that delete, or watch what a refused deletion leaves. */
const deleting = suites.filter(({ uses, requirement }) => uses.includes('deletions') || requirement === 'rate.honest');

const orders: Readonly<Record<string, (ids: readonly string[]) => readonly string[]>> = {
  'as declared': (ids) => ids,
  backwards: (ids) => ids.toReversed(),
  'from the middle': (ids) => [...ids.slice(ids.length / 2), ...ids.slice(0, ids.length / 2)],
};

function declaring(count: number, order: (ids: readonly string[]) => readonly string[]) {
  return (target: Target): Target => ({
    ...target,
    organizations: target.organizations.map((one) => ({
      ...one,
      disposableDataSources: one.id === 'org_main' ? order(one.disposableDataSources.slice(0, count)) : [],
    })),
  });
}

test.each(Object.keys(orders).flatMap((name) => [2, 3, 4, 5, 6, 7, 8].map((count) => [count, name] as const)))(
  '%d disposable data sources, %s: no check is blocked because another deleted what it watches',
  async (count, name) => {
    const trial = { seed: 1, faults: [], choices: {} };
    const part = declaring(count, orders[name] ?? ((ids) => ids));
    const findings = await runTrial(trial, { checks: deleting, part });
    expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
    expect(findings.filter(({ text }) => text.includes('later'))).toEqual([]);
    if (count > 6) expect(findings).toEqual([]);
    const blocked = new Set(findings.map(({ check }) => check));
    expect(deleting.filter(({ id, extended }) => blocked.has(id) && !extended)).toEqual([]);
  },
);

test.each([2, 3])(
  '%d disposable data sources: a check that is blocked is not where as many are declared as its reason says',
  async (count) => {
    const trial = { seed: 1, faults: [], choices: {} };
    const blockedWith = (declared: number) =>
      runTrial(trial, { checks: deleting, part: declaring(declared, (ids) => ids) });
    for (const { check, text } of await blockedWith(count)) {
      if (check.endsWith('/in-sequence')) continue;
      const enough = Number(/declare (\d+) or more/.exec(text)?.[1]);
      expect(enough, text).toBeGreaterThan(count);
      expect((await blockedWith(enough)).map((one) => one.check)).not.toContain(check);
    }
  },
);

/** The checks that attach, or watch what a refused attachment leaves. */
const attaching = suites.filter(({ uses }) => uses.includes('attachments'));

type InOrder = (principals: readonly Principal[]) => readonly Principal[];

const orderOfPrincipals: Readonly<Record<string, InOrder>> = {
  backwards: (all) => all.toReversed(),
  'from the middle': (all) => [...all.slice(3), ...all.slice(0, 3)],
};

/** What checks that attach say, other than that they passed, of the first account and the first so many of its organizations. */
function attached(count: number, order: InOrder, keep: readonly string[] = []): Promise<readonly Finding[]> {
  const part = (target: Target): Target => ({
    ...target,
    principals: order(target.principals.filter(({ name }) => keep.length === 0 || keep.includes(name))),
    billingAccounts: target.billingAccounts.map((one) => ({ ...one, attachable: one.attachable.slice(0, count) })),
  });
  return runTrial({ seed: 1, faults: [], choices: {} }, { checks: attaching, part });
}

const asDeclared = new Map<number, Promise<readonly Finding[]>>();

test.each(
  Object.keys(orderOfPrincipals).flatMap((name) => [1, 2, 3, 4, 5, 6, 7].map((count) => [count, name] as const)),
)('%d organizations to attach, principals %s: the same checks are blocked', async (count, name) => {
  const findings = await attached(count, orderOfPrincipals[name] ?? ((all) => all));
  const inOrder = asDeclared.get(count) ?? attached(count, (all) => all);
  asDeclared.set(count, inOrder);
  expect(findings).toEqual(await inOrder);
  if (count > 4) expect(findings).toEqual([]);
});

test.each([
  ['bob', 'without a role'],
  ['carol', 'with a role in the first organization'],
])('the same checks are blocked whether an admin of all or %s, %s, comes first', async (other) => {
  const keep = ['alice', other];
  const findings = await attached(7, (all) => all.toReversed(), keep);
  expect(findings).toEqual(await attached(7, (all) => all, keep));
  expect(findings.filter(({ check }) => check.startsWith('access.denied-no-effect/'))).toEqual([]);
});
