import { expect, test } from 'vitest';
import { runTrial } from '../../proof/trial.ts';
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

test('the role in the owner is asked for again where nobody has just the other role in what is attached', async () => {
  const findings = await runTrial(
    { seed: 1, faults: ['owner-role-asked-once'], choices: {} },
    {
      checks: accessAttachment,
      // Carol is admin of this one alone. It is attached last if at all.
      part: (target) => ({
        ...target,
        billingAccounts: target.billingAccounts.slice(0, 1).map(({ attachable, ...account }) => ({
          ...account,
          attachable: [...attachable.filter((id) => id !== 'org_new'), 'org_new'],
        })),
      }),
    },
  );
  expect(findings.filter(({ kind }) => kind === 'failed').map(({ requirement }) => requirement)).toContain(
    'access.attach-needs-owner-admin',
  );
});
