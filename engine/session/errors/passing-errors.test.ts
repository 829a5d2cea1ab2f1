import { expect, test } from 'vitest';
import { answerOf, type Exchange } from '../../../core/exchange.ts';
import { virtualClock } from '../../../core/clock.ts';
import { createReference } from '../../../reference/reference.ts';
import { errorAnswer } from '../../../testing/answers/refusing.ts';
import { createSession } from '../session.ts';
import { notePassing, passingOf } from './passing-errors.ts';

function answered(status: number, sentAt: number): Exchange {
  return {
    operation: 'listModels',
    caller: 'alice',
    request: { method: 'GET', path: '/', headers: {}, timeoutMs: 1 },
    sentAt,
    receivedAt: sentAt + 10,
    outcome: { kind: 'answered', response: errorAnswer(status) },
  };
}

/** What is remembered of requests, each sent until its last answer. */
function after(...tried: readonly (readonly Exchange[])[]) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  for (const all of tried) {
    const last = all.at(-1);
    const answer = last === undefined ? undefined : answerOf(last);
    if (answer !== undefined) notePassing(session, answer, all.slice(0, -1));
  }
  return passingOf(session, 'listModels');
}

test.each([
  ['an error that does not recur', [[answered(500, 0), answered(404, 200)]], 1, 1],
  ['two errors of one request', [[answered(500, 0), answered(500, 200), answered(404, 800)]], 1, 1],
  ['an error that recurs', [[answered(500, 0), answered(500, 200)]], 0, 0],
  ['an answer that is no internal error', [[answered(503, 0), answered(404, 200)]], 0, 0],
  ['errors that come together', [0, 100, 999].map((at) => [answered(500, at), answered(404, at + 200)]), 3, 1],
  ['errors that are apart', [0, 1000, 2000].map((at) => [answered(500, at), answered(404, at + 200)]), 3, 3],
])('%s', (_what, tried, requests, apart) => {
  const found = after(...tried);
  expect([found.requests, found.apart.length]).toEqual([requests, apart]);
});
