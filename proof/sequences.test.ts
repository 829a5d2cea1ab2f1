import { expect, test } from 'vitest';
import type { Check } from '../engine/check.ts';
import { judge } from '../suites/run/judge.ts';
import { virtualClock } from '../core/clock.ts';
import { type Deployment, TransportError } from '../core/http.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { races } from '../suites/deletion/races.ts';
import { sequences } from '../suites/sequence/sequences.ts';

function sessionWith(fault: string | undefined, seed: number, around = (deployment: Deployment) => deployment) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed, faults: fault === undefined ? [] : [fault] });
  return createSession({ deployment: around(deployment), target, clock, seed, invariants: [] });
}

const overlapping: readonly Check[] = [...races, ...sequences];

/** Commands that a shrunk sequence has at the most; whole ones have more than a hundred. */
const most = 40;

/** What the check says when everything before it was run too. */
async function shrunk(fault: string, id: string) {
  const judged = await runChecks(overlapping, sessionWith(fault, 1));
  const verdict = judged.find(({ check }) => check.id === id)?.verdict;
  if (verdict?.kind !== 'violated') throw new Error(`${id} is ${verdict?.kind}`);
  return verdict;
}

test.each([
  ['cursor-mends-one-deletion', 'paging.any-id-is-cursor/listModels/in-sequence'],
  ['filter-index-emptied-by-deletion', 'models.filter/in-sequence'],
  ['deletion-recounts-from-night', 'attach.count/in-sequence'],
  ['attaching-opens-models-to-owner', 'access.models-404/in-sequence'],
])('what %s breaks is shrunk, and its path alone finds it in a fresh deployment', async (fault, id) => {
  const { counterexample } = await shrunk(fault, id);
  if (counterexample === undefined) throw new Error('no counterexample');
  expect(counterexample.values.split('; ').length).toBeLessThanOrEqual(most);
  const check = sequences.find((one) => one.id === id);
  if (check === undefined) throw new Error(`no check ${id}`);
  const again = await judge(check, sessionWith(fault, 1), { replayPath: counterexample.path });
  expect(again).toMatchObject({ kind: 'violated', counterexample: { values: counterexample.values } });
});

const unavailable = {
  status: 503,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"error":{"title":"Unavailable","detail":"Try again."}}'),
};

/** Every so many requests the deployment is unavailable, or the answer gets lost on its way, in turns. */
function unreliable(every: number): (deployment: Deployment) => Deployment {
  let count = 0;
  return (deployment) => async (request) => {
    count += 1;
    if (count % every !== 0) return deployment(request);
    if (count % (2 * every) === 0) return unavailable;
    await deployment(request);
    throw new TransportError('reset', 'the connection was closed');
  };
}

test.each([5, 7, 11, 23])('one failure in every %i requests causes no failed check', async (every) => {
  for (const seed of [1, 2, 3]) {
    const judged = await runChecks(overlapping, sessionWith(undefined, seed, unreliable(every)));
    const accused = judged.filter(({ verdict }) => verdict.kind === 'violated');
    expect(accused.map(({ check, verdict }) => ({ id: check.id, ...verdict }))).toEqual([]);
  }
});
