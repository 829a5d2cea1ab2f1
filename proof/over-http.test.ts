import { expect, test } from 'vitest';
import { hash } from '../core/hash.ts';
import { judge } from '../suites/run/judge.ts';
import { realClock } from '../core/clock.ts';
import { networkTarget } from '../core/network/entry-points.ts';
import { inOrder } from '../suites/run/in-turn.ts';
import { createSession } from '../engine/session/session.ts';
import { faults } from '../reference/faults/faults.ts';
import { createReference } from '../reference/reference.ts';
import { serveEntryPoints } from '../reference/http/serve-entry-points.ts';
import type { Fault } from '../reference/variation.ts';
import { suites } from '../suites/index.ts';
import { committedRows } from '../testing/committed-matrix.ts';
import { invariants } from '../suites/errors/invariants.ts';

/**
 * One fault in so many is tried over a socket: the matrix tries them all in memory. Its name decides, so that a new fault
 * changes nothing of which others are.
 */
const oneIn = 34;

/** Waits, and looking on until a response is over, take minutes in real time: what they catch is left to the matrix. */
const isPatient = (requirement: string) => requirement.startsWith('wait.') || requirement === 'conflict.no-trace';

/** A fifth of a window is less than the noise of so many servers at once. */
const isPrecise = (requirement: string) => requirement === 'rate.counts-down';

/** So do sequences, and what is judged by the messages of all other checks. */
const amongOthersOnly: ReadonlySet<string> = new Set(
  committedRows
    .filter(({ killers }) => killers.every((id) => /\/(in-sequence|without-errors)$/.test(id)))
    .map(({ fault }) => fault),
);

/** A limit that a client of a busy machine can reach. */
const reachable = { 'rate-quota': '100-in-5s' };

/** Whether a check of the requirement that the fault breaks is violated by the reference served with it. */
async function isKilledOverHttp({ name, breaks }: Fault): Promise<boolean> {
  const choices = breaks.startsWith('rate.') ? reachable : {};
  const options = { clock: realClock, seed: 1, faults: [name], choices, latencyMs: [0, 0] } as const;
  const { outages, ...reference } = createReference(options);
  const server = await serveEntryPoints(reference, { port: 0, host: '127.0.0.1' });
  const network = networkTarget(server.target);
  const session = createSession({ ...network, target: server.target, clock: realClock, seed: 1, invariants, outages });
  try {
    const own = suites.filter(({ requirement }) => requirement === breaks);
    for (const check of inOrder(own)) {
      if ((await judge(check, session)).kind === 'violated') return true;
    }
    return false;
  } finally {
    network.close();
    await server.close();
  }
}

test('what is killed in memory is killed over a socket too, one fault in so many', async () => {
  const some = faults.filter(
    ({ name, breaks }) =>
      hash(name) % oneIn === 0 && !isPatient(breaks) && !isPrecise(breaks) && !amongOthersOnly.has(name),
  );
  expect(some.length).toBeGreaterThanOrEqual(15);
  const missed: Fault[] = [];
  await Promise.all(
    some.map(async (fault) => {
      if (!(await isKilledOverHttp(fault))) missed.push(fault);
    }),
  );
  const survivors: string[] = [];
  for (const fault of missed) {
    // Among so many servers at once, an answer may be too late to show the fault; and a race is not met each time.
    const isKilledAlone = (await isKilledOverHttp(fault)) || (await isKilledOverHttp(fault));
    if (!isKilledAlone) survivors.push(fault.name);
  }
  expect(survivors).toEqual([]);
}, 480_000);
