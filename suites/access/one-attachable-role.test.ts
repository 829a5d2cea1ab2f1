import { expect, test } from 'vitest';
import { runTrial, type TrialOptions } from '../../proof/trial.ts';
import { accessAttachment } from './access-attachment.ts';

test('the role in the owner is asked for although the only organization that shows it is attached early', async () => {
  const findings = await runTrial(
    { seed: 1, faults: ['attach-asks-organization-alone'], choices: { 'attach-again': 'refuse' } },
    {
      checks: accessAttachment,
      part: (target) => ({ ...target, billingAccounts: target.billingAccounts.slice(0, 1) }),
    },
  );
  expect(findings.map(({ requirement }) => requirement)).toContain('access.attach-needs-owner-admin');
});

/** Carol is admin of one organization alone, which is declared between others: neither the first nor the last. */
const carolBetween: TrialOptions['part'] = (target) => ({
  ...target,
  billingAccounts: target.billingAccounts.slice(0, 1).map(({ attachable, ...account }) => ({
    ...account,
    attachable: attachable.filter((id) => id !== 'org_new').toSpliced(2, 0, 'org_new'),
  })),
});

test('an organization with an admin who is none of the owner is attached first, wherever it is declared', async () => {
  const findings = await runTrial(
    { seed: 1, faults: ['owner-role-asked-once'], choices: {} },
    { checks: accessAttachment, part: carolBetween },
  );
  expect(findings.filter(({ kind }) => kind === 'failed').map(({ requirement }) => requirement)).toContain(
    'access.attach-needs-owner-admin',
  );
  expect(findings.map(({ check }) => check)).not.toContain('access.denied/getBillingAccount/attached');
});

/** Each account has its own admin, who is admin of everything that may be attached to it. */
const oneAdminEach: TrialOptions['part'] = (target) => ({
  ...target,
  principals: target.principals.filter(({ name }) => ['alice', 'bob', 'erin'].includes(name)),
  billingAccounts: target.billingAccounts.map((account, index) =>
    index === 0 ? account : { ...account, attachable: ['org_other'] },
  ),
});

test.each([
  ['attach-asks-organization-alone', 'access.attach-needs-owner-admin'],
  ['attach-asks-owner-alone', 'access.attach-needs-organization-admin'],
  ['owner-role-asked-once', 'access.attach-needs-owner-admin'],
])(
  'where each account has its own admin, %s shows with what belongs to the other account',
  async (fault, requirement) => {
    const findings = await runTrial(
      { seed: 1, faults: [fault], choices: {} },
      { checks: accessAttachment, part: oneAdminEach },
    );
    expect(findings.filter(({ kind }) => kind === 'failed').map((found) => found.requirement)).toContain(requirement);
  },
);

test('where each account has its own admin, a legal deployment is not accused', async () => {
  const findings = await runTrial(
    { seed: 1, faults: [], choices: {} },
    { checks: accessAttachment, part: oneAdminEach },
  );
  expect(findings.filter(({ kind }) => kind === 'failed')).toEqual([]);
});
