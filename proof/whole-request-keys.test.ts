import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpResponse } from '../core/http.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

const refused: HttpResponse = {
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"error":{"title":"KeyReused","detail":"The key belongs to another request."}}'),
};

/** Takes a key that comes with another wait for one of another request, which section 4.2 leaves open. */
function rememberingWaits(deployment: Deployment): Deployment {
  const waits = new Map<string, string>();
  return async (request) => {
    const { 'idempotency-key': key, authorization } = request.headers;
    const [path = '', query = ''] = request.path.split('?');
    const name = JSON.stringify([authorization, path, key]);
    if (key === undefined || !path.endsWith('/messages')) return deployment(request);
    const first = waits.get(name);
    if (first !== undefined && first !== query) return refused;
    const answer = await deployment(request);
    if (answer.status < 300) waits.set(name, query);
    return answer;
  };
}

test('a key that is bound to the wait it came with causes no failed check', async () => {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1 });
  const session = createSession({
    deployment: rememberingWaits(deployment),
    target,
    clock,
    seed: 1,
    invariants,
    outages,
  });
  const judged = await runChecks(
    suites.filter(({ phase }) => phase !== 'rateLimit'),
    session,
  );
  const accused = judged.filter(({ verdict }) => verdict.kind === 'violated' || verdict.kind === 'errored');
  expect(accused.map(({ check, verdict }) => `${check.id} ${JSON.stringify(verdict).slice(0, 200)}`)).toEqual([]);
});
