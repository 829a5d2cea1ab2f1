import { expect, test } from 'vitest';
import type { Target } from '../core/target.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

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
