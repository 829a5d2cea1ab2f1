import { describe, expect, test } from 'vitest';
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

const alsoAdminOf =
  (id: string, first: boolean) =>
  (target: Target): Target => ({
    ...target,
    organizations: [...target.organizations, { id, chats: [], disposableDataSources: [] }],
    principals: target.principals.map((one) =>
      one.name === 'alice' ? { ...one, adminOf: first ? [id, ...one.adminOf] : [...one.adminOf, id] } : one,
    ),
  });

const attachableToo = (target: Target): Target => {
  const { billingAccounts, ...declared } = alsoAdminOf('org_unheard', false)(target);
  const [account, ...others] = billingAccounts.map((one) => ({
    ...one,
    attachable: ['org_unheard', ...one.attachable],
  }));
  return { ...declared, billingAccounts: account === undefined ? [] : [account, ...others] };
};

const accountToo = (target: Target): Target => ({
  ...target,
  billingAccounts: [{ id: 'ba_unheard', owner: 'org_owner', attachable: [] }, ...target.billingAccounts],
});

describe('an ID that does not exist among others that do', () => {
  test.each([
    [
      'the first of an admin',
      alsoAdminOf('org_unheard', true),
      /^org_unheard answers 404 to .* alice: is the ID right\?$/,
    ],
    ['the last of an admin', alsoAdminOf('org_unheard', false), /^org_unheard answers 404 to/],
    ['the first to attach', attachableToo, /^org_unheard answers 404 to/],
    ['a billing account', accountToo, /^ba_unheard answers 404 to its declared admin alice: is the ID right\?$/],
  ] as const)('%s: it blocks with one reason, and nothing is violated', async (_what, part, reason) => {
    const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { part });
    expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
    const reasons = findings.filter(({ requirement }) => requirement === 'access.granted').map(({ text }) => text);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toMatch(reason);
  });

  test.each([
    ['another admin reads it', 'one-admin-remembered'],
    ['another operation reads it', 'last-organization-without-sources'],
    ['an attachment to it succeeds', 'account-without-readers'],
    ['the rest is denied too', 'admin-of-first-only'],
  ])('a deployment that denies what exists is still found: %s', async (_what, fault) => {
    const checks = suites.filter(
      ({ requirement, uses }) => requirement === 'access.granted' || uses.includes('attachments'),
    );
    const part = alsoAdminOf('org_unheard', false);
    const findings = await runTrial({ seed: 1, faults: [fault], choices: {} }, { checks, part });
    const failed = findings.filter(({ kind, requirement }) => kind === 'failed' && requirement === 'access.granted');
    expect(failed.map(({ text }) => text).join('\n')).toMatch(/a declared admin/);
    expect(failed.map(({ text }) => text).join('\n')).not.toContain('org_unheard');
  });
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
