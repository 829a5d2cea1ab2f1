import { expect, test } from 'vitest';
import type { Target } from '../core/target.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

/** What is said, other than that it was left out, where the target file is mistaken. */
async function saidWith(declared: (target: Target) => Target): Promise<readonly string[]> {
  const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { part: declared });
  return findings.filter(({ kind }) => kind !== 'blocked').map(({ check }) => check);
}

const bobAdminToo = (target: Target): Target => ({
  ...target,
  principals: target.principals.map((one) => (one.name === 'bob' ? { ...one, adminOf: ['org_main'] } : one)),
});

const chatsGone = (target: Target): Target => ({
  ...target,
  organizations: target.organizations.map((one) => ({ ...one, chats: one.chats.map((id) => `${id}-gone`) })),
});

test.each([
  ['an admin who is none', bobAdminToo, ['access.granted/listModels', 'access.granted/listDataSources']],
  ['chats that are gone', chatsGone, []],
] as const)('%s: nothing is said but that', async (_what, declared, said) => {
  expect(await saidWith(declared)).toEqual(said);
});

test('data sources that no caller may list do not count as used up', async () => {
  const withoutKey = (target: Target): Target => ({
    ...target,
    organizations: target.organizations.map((one) =>
      one.id === 'org_main' ? one : { ...one, disposableDataSources: [] },
    ),
    principals: target.principals.map((one) => (one.adminOf.includes('org_main') ? { ...one, key: 'expired' } : one)),
  });
  const deleting = suites.filter(({ id }) => id === 'delete.record');
  const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { checks: deleting, part: withoutKey });
  expect(findings.map(({ text }) => text)).toEqual(['the data sources of org_main could not be listed']);
});
