import { expect, test } from 'vitest';
import { faults } from '../reference/faults/faults.ts';
import { suites } from '../suites/index.ts';
import { checksOf, runTrial } from './trial.ts';

/** What needs a response that is still generating: the 409 rule, `wait`, and keys meanwhile. */
const needsGenerating = [
  'conflict.refused',
  'conflict.body',
  'conflict.race',
  'conflict.no-trace',
  'conflict.other-chat',
  'wait.holds',
  'wait.ends',
  'wait.finishes',
  'idempotency.while-generating',
  'idempotency.no-duplicate',
];

const checks = suites.filter(({ requirement }) => needsGenerating.includes(requirement));

/** The shortest wait does not end before such a response: extended checks need one that does. */
const needLonger = ['conflict.refused/after-wait', 'idempotency.while-generating/after-wait'];
const needSecond = [
  'conflict.refused/to-the-end',
  'conflict.no-trace/prolonged',
  'wait.ends',
  'wait.ends/side-by-side',
  'wait.holds',
  'wait.holds/long',
];

test.each([
  ['always-300-ms', [...needLonger, ...needSecond]],
  ['always-1-s', needLonger],
  ['always-1200-ms', []],
  ['always-2-s', []],
  ['always-6-s', []],
  ['always-40-s', []],
] as const)('an assistant that takes %s is not accused, and only %j is blocked', async (assistant, blocked) => {
  const findings = await runTrial({ seed: 1, faults: [], choices: { assistant } }, { checks });
  expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
  expect(findings.map(({ check }) => check).toSorted()).toEqual(blocked.toSorted());
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])('an assistant of changing pace is not accused, seed %i', async (seed) => {
  const findings = await runTrial({ seed, faults: [], choices: { assistant: 'moody' } });
  expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
});

/** What happens after a second or two is not to be seen of a response that takes 1.2 s, given how late answers may be. */
const seenOnlyOfSlower: Readonly<Record<string, string>> = {
  'chat-lock-expires': 'always-2-s',
  'first-response-unlocked': 'always-2-s',
  'held-until-finished': 'always-2-s',
  'wait-twice': 'always-2-s',
  'response-cancelled-after-shortest-wait': 'always-2-s',
  'lock-ends-with-wait': 'always-2-s',
  'chat-freed-after-client': 'always-6-s',
  'key-forgotten-after-client': 'always-6-s',
  'busy-chat-queues-with-wait': 'always-6-s',
  'busy-chat-queues-with-long-wait': 'always-6-s',
  'chat-lock-expires-late': 'always-6-s',
  'wait-in-steps-of-five': 'always-2-s',
  'wait-capped-in-between': 'always-6-s',
  'long-wait-cut-short': 'always-6-s',
  'held-request-cut-off': 'always-6-s',
  'held-request-stopped': 'always-6-s',
  'lock-released-by-invalid-message': 'always-6-s',
  'lock-released-by-long-key': 'always-6-s',
  'lock-released-by-malformed-body': 'always-6-s',
  'lock-released-by-wait': 'always-6-s',
  'lock-released-without-key': 'always-6-s',
};

/** Only the exchanges of a whole run show these. */
const seenInWholeRun = [
  'busy-now-and-then-unseen',
  'second-of-race-fails',
  'unkeyed-message-soon-after-another-500',
  'wait-ended-by-conflict',
];

const broken = faults
  .filter(({ name, breaks }) => needsGenerating.includes(breaks) && !seenInWholeRun.includes(name))
  .map((fault) => ({
    fault,
    assistant: seenOnlyOfSlower[fault.name] ?? 'always-1200-ms',
  }));

test.each(broken)('$fault.name is caught with an assistant that takes $assistant', async ({ fault, assistant }) => {
  const trial = { seed: 1, faults: [fault.name], choices: { assistant } };
  const findings = await runTrial(trial, { checks: checksOf(fault.breaks) });
  expect(findings.map(({ kind }) => kind)).toContain('failed');
});
