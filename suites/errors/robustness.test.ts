import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError, type TransportFailure } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { robustness } from './robustness.ts';

/** The verdict about odd IDs of organizations where the first `times` requests with each of them fail like this. */
async function verdictWhere(failure: TransportFailure, times: number): Promise<string | undefined> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const failed = new Map<string, number>();
  const failing: Deployment = async (request) => {
    const count = failed.get(request.path) ?? 0;
    failed.set(request.path, count + 1);
    if (/organizations\/[^/]*awc/.test(request.path) && count < times) throw new TransportError(failure, 'it failed');
    return deployment(request);
  };
  const session = createSession({ deployment: failing, target, clock, seed: 1, invariants: [] });
  const checks = robustness.filter(
    ({ id, operation }) => id.startsWith('robustness.odd-ids') && operation === 'listModels',
  );
  const [judged] = await runChecks(checks, session);
  return judged?.verdict.kind;
}

test('an odd ID that twice gets no answer breaks the promise, a lost answer or a missing connection does not', async () => {
  expect(await verdictWhere('timeout', 1)).toBe('passed');
  expect(await verdictWhere('timeout', Infinity)).toBe('violated');
  expect(await verdictWhere('refused', Infinity)).not.toBe('violated');
});
