import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { createReference } from '../../reference/reference.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { Violation } from '../verdict.ts';
import { createSession, type Invariant } from './session.ts';

function read(path: string): Exchange {
  return {
    operation: 'listModels',
    caller: 'alice',
    request: { method: 'GET', path, headers: {}, timeoutMs: 1 },
    sentAt: 0,
    receivedAt: 1,
    outcome: { kind: 'answered', response: errorAnswer(404) },
  };
}

test.each([
  [['/models?limit=2&cursor=b', '/models?limit=2', '/models?limit=1', '/models?limit=1&cursor=a']],
  [['/models?limit=1', '/models?limit=2&cursor=b', '/models?limit=1&cursor=a', '/models?limit=2']],
])('of the violations of an invariant, the plainest is shown, in whichever order they came: %j', (paths) => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const broken: Invariant = {
    requirement: 'paging.limit',
    judge: (exchange) => new Violation('fewer', 'more', [exchange]),
  };
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [broken] });
  for (const path of paths) session.see(read(path));
  const { kept, violation, violations } = session.invariant('paging.limit');
  expect(kept).toBe(0);
  expect(violation?.evidence[0]?.request.path).toBe('/models?limit=1');
  expect(violations.map(({ evidence }) => evidence[0]?.request.path)).toEqual(paths);
});
