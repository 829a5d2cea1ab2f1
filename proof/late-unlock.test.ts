import { expect, test } from 'vitest';
import type { Clock } from '../core/clock.ts';
import type { Deployment, HttpResponse } from '../core/http.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

/** Shorter than the tolerance. */
const lateMs = 200;

const busy: HttpResponse = {
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"error":{"title":"Conflict","detail":"A response is generating."}}'),
};

/** A chat whose lock is released a little later than its response is shown finished. */
function unlockingLate(deployment: Deployment, clock: Clock): Deployment {
  const finishedAt = new Map<string, number>();
  const known = new Set<string>();
  return async (request) => {
    const [path = ''] = request.path.split('?');
    if (request.method !== 'POST' || !path.endsWith('/messages')) return deployment(request);
    const key = request.headers['idempotency-key'];
    const isKnown = key !== undefined && known.has(key);
    if (!isKnown && clock.now() < (finishedAt.get(path) ?? Number.NEGATIVE_INFINITY) + lateMs) return busy;
    const answer = await deployment(request);
    if (answer.status < 300 && key !== undefined) known.add(key);
    if (answer.status === 200 && !isKnown) finishedAt.set(path, clock.now());
    return answer;
  };
}

test('a chat that stays busy for less than the tolerance after a response is no trace of a refused message', async () => {
  const checks = suites.filter(({ phase }) => phase === 'messages' || phase === 'together');
  const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { checks, through: unlockingLate });
  expect(findings.filter(({ kind }) => kind !== 'blocked')).toEqual([]);
});
