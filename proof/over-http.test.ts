import { expect, test } from 'vitest';
import { realClock } from '../harness/clock.ts';
import { networkDeployment } from '../harness/network.ts';
import { runChecks } from '../harness/run-checks.ts';
import { createSession } from '../harness/session.ts';
import { faults } from '../reference/faults/faults.ts';
import { createReference } from '../reference/reference.ts';
import { serve } from '../reference/serve.ts';
import type { Fault } from '../reference/variation.ts';
import { suites } from '../suites/index.ts';
import { watches } from '../suites/watches.ts';

/** Faults that are tried over a socket: the matrix tries them all in memory. */
const tried = 20;

/** The checks of the requirement that the fault breaks, that were violated by the reference served with it. */
async function violatedOverHttp({ name, breaks }: Fault): Promise<readonly string[]> {
  const options = { clock: realClock, seed: 1, faults: [name], latencyMs: [0, 0] } as const;
  const { deployment, target, restart } = createReference(options);
  const server = await serve(deployment, { port: 0, host: '127.0.0.1' });
  const network = networkDeployment(server.url);
  const session = createSession({ ...network, target, clock: realClock, seed: 1, watches, restart });
  const judged = await runChecks(
    suites.filter(({ requirement }) => requirement === breaks),
    session,
  );
  network.close();
  await server.close();
  return judged.filter(({ verdict }) => verdict.kind === 'violated').map(({ check }) => check.id);
}

test('what is killed in memory is killed over a socket too, one fault in so many', async () => {
  const step = Math.floor(faults.length / tried);
  const some = faults.filter((_, index) => index % step === 0);
  expect(some.length).toBeGreaterThanOrEqual(tried);
  const survivors: string[] = [];
  await Promise.all(
    some.map(async (fault) => {
      if ((await violatedOverHttp(fault)).length === 0) survivors.push(fault.name);
    }),
  );
  expect(survivors).toEqual([]);
}, 240_000);
