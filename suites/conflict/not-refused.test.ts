import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { messages } from '../messages/messages.ts';
import { conflict } from './conflict.ts';

/** The verdict of a check where a chat accepts messages while a response is generating. */
async function verdictOf(id: string, assistant: string): Promise<Verdict | undefined> {
  const clock = virtualClock();
  const { deployment, target } = createReference({
    clock,
    seed: 1,
    faults: ['busy-chat-accepts'],
    choices: { assistant },
  });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const checks = [...messages, ...conflict].filter((check) => check.id === id);
  const [judged] = await runChecks(checks, session);
  return judged?.verdict;
}

test.each(['messages.accepted-is-generating', 'conflict.body', 'conflict.no-trace'])(
  'where an accepted message blocks %s, the reason names both causes that it may have',
  async (id) => {
    const verdict = await verdictOf(id, 'always-1200-ms');
    expect(verdict).toMatchObject({
      kind: 'blocked',
      reason: expect.stringMatching(
        /accepted a message .*if conflict\.refused fails.*otherwise the response ended too soon/,
      ),
    });
  },
);

test('a message that is accepted at once during a response is not said to come after it', async () => {
  const verdict = await verdictOf('conflict.refused', 'always-1200-ms');
  expect(verdict).toMatchObject({ kind: 'violated' });
  expect(JSON.stringify(verdict)).not.toContain('once the response had finished');
});
