import { expect, test } from 'vitest';
import type { Principal, Target } from '../core/target.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

/** The reference lets alice alone write to the chats of org_main: for who is declared beside her they are private. */
function withAdmin(declared: (principals: readonly Principal[]) => readonly Principal[]) {
  return (target: Target): Target => ({ ...target, principals: declared(target.principals) });
}

const bobToo = (all: readonly Principal[]): readonly Principal[] =>
  all.map((one) => (one.name === 'bob' ? { ...one, adminOf: ['org_main'] } : one));

test.each([
  ['a chat for the admin who uses it', bobToo, []],
  ['a chat without a declared owner', (all: readonly Principal[]) => bobToo(all).slice(1), ['blocked']],
] as const)('%s', async (_what, declared, kinds) => {
  const sending = suites.filter(({ id }) => id === 'access.granted/sendMessage');
  const trial = { seed: 1, faults: [], choices: {} };
  const findings = await runTrial(trial, { checks: sending, part: withAdmin(declared) });
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});
