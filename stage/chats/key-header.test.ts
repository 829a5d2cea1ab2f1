import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { runTrial } from '../../proof/trial.ts';
import { suites } from '../../suites/index.ts';

const idempotency = suites.filter(({ requirement }) => requirement.startsWith('idempotency.'));

const undeclared = ({ idempotencyHeader: _header, ...target }: Target): Target => target;

test.each([
  ['key-forgotten-when-finished', 'idempotency.after'],
  ['keys-of-last-chat-alone', 'idempotency.after'],
  ['deletion-clears-keys', 'idempotency.later'],
  ['keys-of-each-node', 'idempotency.after'],
  ['key-goes-to-the-last-chat', 'idempotency.other-chat'],
])('a header that is not declared is found although the deployment has the fault %s', async (fault, requirement) => {
  const findings = await runTrial(
    { seed: 1, faults: [fault], choices: {} },
    { checks: fault === 'deletion-clears-keys' ? suites : idempotency, part: undeclared },
  );
  expect(findings.filter(({ kind }) => kind === 'failed').map((one) => one.requirement)).toContain(requirement);
  expect(findings.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('no usual idempotency header'));
});

test('a header with another name is not found, and the reason says what to declare', async () => {
  const findings = await runTrial(
    { seed: 1, faults: [], choices: { 'key-header': 'x-request-id' } },
    { checks: idempotency, part: undeclared },
  );
  expect(findings.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(findings.map(({ text }) => text)).toContainEqual(
    'no usual idempotency header works: declare its name as choices.idempotencyHeader',
  );
});
