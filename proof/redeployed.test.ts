import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { type HttpResponse, TransportError } from '../core/http.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

const nobodyListens = (): HttpResponse => {
  throw new TransportError('refused', 'nothing listens');
};

const gateway = (): HttpResponse => ({
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode('<html>502 Bad Gateway</html>'),
});

/** What is accused, or comes to nothing, while the deployment is away for `awayMs`, every so often. */
async function runWhileReplaced(instead: () => HttpResponse, everyMs: number, awayMs: number) {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1 });
  const startedAt = clock.now();
  const session = createSession({
    deployment: async (request) =>
      (clock.now() - startedAt) % everyMs >= everyMs - awayMs ? instead() : deployment(request),
    target,
    clock,
    seed: 1,
    invariants,
    outages,
  });
  // At a quota, where every request counts, nothing can be sent again.
  const judged = await runChecks(
    suites.filter(({ phase }) => phase !== 'rateLimit'),
    session,
  );
  const idsOf = (kind: 'violated' | 'errored') =>
    judged.filter(({ verdict }) => verdict.kind === kind).map(({ check }) => check.id);
  return { accused: idsOf('violated'), errored: idsOf('errored') };
}

test.each([
  ['nothing listens', nobodyListens, 40_000, 6000],
  ['nothing listens', nobodyListens, 90_000, 20_000],
  ['a gateway answers', gateway, 40_000, 6000],
  ['a gateway answers', gateway, 90_000, 20_000],
] as const)('replacing a deployment while %s causes no failed check', async (_what, instead, everyMs, awayMs) => {
  const { accused, errored } = await runWhileReplaced(instead, everyMs, awayMs);
  expect(accused).toEqual([]);
  // What counts by its instant is not sent again.
  expect(errored.length).toBeLessThanOrEqual(2);
});
