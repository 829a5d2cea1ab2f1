import { expect, test } from 'vitest';
import { check } from '../../engine/check.ts';
import { type Finding, runTrial, type Trial } from '../../proof/trial.ts';
import { mustNotLoseResponse } from './lost-beside.ts';

/** The comparison alone: in the suite, it follows a response that outlasted a long wait. */
const comparison = check('conflict.refused', { uses: ['messages'] }, mustNotLoseResponse);

async function foundIn({ seed = 1, faults = [], choices = {} }: Partial<Trial>): Promise<readonly Finding['kind'][]> {
  const findings = await runTrial({ seed, faults, choices }, { checks: [comparison] });
  return findings.map(({ kind }) => kind);
}

test('a response that a message to another chat ends unseen is a violation', async () => {
  expect(await foundIn({ faults: ['response-lost-beside-another'] })).toEqual(['failed']);
});

test.each<readonly [why: string, trial: Partial<Trial>]>([
  ['responses end', {}],
  ['a message to another chat waits for the response', { faults: ['organization-one-at-a-time'] }],
  ['the chat accepts messages without one to another chat too', { faults: ['busy-chat-accepts'] }],
  ['the request is held for longer than the response', { faults: ['held-until-finished'] }],
  ['responses take longer than any wait', { choices: { assistant: 'minutes' } }],
  ['response times vary', { choices: { assistant: 'moody' } }],
  ['responses end at once', { choices: { assistant: 'at-once' } }],
])('no violation if %s', async (_why, trial) => {
  expect(await foundIn(trial)).toEqual([]);
});
