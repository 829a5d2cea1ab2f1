import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpRequest, HttpResponse } from '../core/http.ts';
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

type PartOf = (request: HttpRequest) => string;

const query: PartOf = ({ path }) => path.split('?')[1] ?? '';
const bytes: PartOf = ({ body, headers }) => JSON.stringify([String(body), headers['content-type']]);

/** Takes a key that comes with another such part for one of another request, which section 4.2 leaves open. */
function remembering(partOf: PartOf, deployment: Deployment): Deployment {
  const parts = new Map<string, string>();
  return async (request) => {
    const { 'idempotency-key': key, authorization } = request.headers;
    const [path = ''] = request.path.split('?');
    const name = JSON.stringify([authorization, path, key]);
    if (key === undefined || !path.endsWith('/messages')) return deployment(request);
    const part = partOf(request);
    const first = parts.get(name);
    if (first !== undefined && first !== part) return refused;
    const answer = await deployment(request);
    if (answer.status < 300) parts.set(name, part);
    return answer;
  };
}

const all = suites.filter(({ phase }) => phase !== 'rateLimit');
/** With these alone, the oldest message of its chat is one whose body is written with escapes. */
const oldestIsEscaped = suites.filter(({ id }) => id === 'message.maximum' || id === 'idempotency.later/at-last');

test.each([
  ['the wait it came with', query, all],
  ['the bytes of the body it came with', bytes, all],
  ['the bytes of an unusual body', bytes, oldestIsEscaped],
] as const)('a key that is bound to %s causes no failed check', async (_what, partOf, checks) => {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1 });
  const session = createSession({
    deployment: remembering(partOf, deployment),
    target,
    clock,
    seed: 1,
    invariants,
    outages,
  });
  const judged = await runChecks(checks, session);
  const accused = judged.filter(({ verdict }) => verdict.kind === 'violated' || verdict.kind === 'errored');
  expect(accused.map(({ check, verdict }) => `${check.id} ${JSON.stringify(verdict).slice(0, 200)}`)).toEqual([]);
});
