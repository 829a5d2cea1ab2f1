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
