import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';
import { type Choices, drawnNeighbours } from './draw-choices.ts';
import type { Trial } from './trial.ts';

/** What a run of all checks side by side finds, other than that they passed. */
async function found({ seed, faults, choices }: Trial) {
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults, choices });
  const record = await runSuite(openSession({ ...reference, clock, seed }, suites), suites, { observed: false });
  return record.checks.filter(({ verdict }) => verdict !== 'passed');
}

/** The same for a deployment that can have no outage, as most target files declare it. */
async function foundWithoutOutage(seed: number, fault: string) {
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults: [fault] });
  const session = openSession({ ...reference, outages: {}, clock, seed }, suites);
  return (await runSuite(session, suites, { observed: false })).checks;
}

async function accused(seed: number, choices: Choices): Promise<readonly string[]> {
  const all = await found({ seed, faults: [], choices });
  return all.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
}

/** Legal deployments that were accused once. */
const once: readonly (readonly [why: string, seed: number, choices: string])[] = [
  ['two workers are kept by requests that the run holds', 2, 'workers=2'],
  [
    'a copy shows what was deleted before, at the beginning and at the end of a race',
    8,
    'ids=per-organization sources=0 deleted-sources=gone-but-marked-in-answer cleanup=at-once assistant=at-once entry-points=three-lagging',
  ],
  [
    'a proxy answers 504 to a deletion by another admin, which is carried out',
    2,
    'ids=dots sources=250 assistant=always-300-ms message-role=anybody key-required=yes replay-form=original rate-quota=100-in-5s gateway=hiccups-on-writes workers=2',
  ],
];

test.each(once)('%s: no accusation', async (_why, seed, choices) => {
  const named = choices.split(' ').map((choice) => choice.split('='));
  expect(await accused(seed, Object.fromEntries(named))).toEqual([]);
});

test('drawn legal deployments are not accused', async () => {
  const drawn = fc.sample(drawnNeighbours(3), { seed: 11, numRuns: 4 });
  for (const { seed, choices } of drawn) {
    for (const each of choices) expect(await accused(seed, each), JSON.stringify({ seed, each })).toEqual([]);
  }
});

test('what is late again alone is a violation', async () => {
  const all = await found({ seed: 1, faults: ['held-two-seconds'], choices: { workers: '2' } });
  expect(all.find(({ id }) => id === 'messages.immediate')?.verdict).toBe('failed');
});

test.each([
  ['unknown-chat-is-first', 'messages.unknown-chat'],
  ['slow-is-held-for-good', 'wait.ends'],
])('%s is seen although other checks keep chats and requests', async (fault, id) => {
  const all = await found({ seed: 1, faults: [fault], choices: {} });
  expect(all.find((one) => one.id === id)?.verdict).toBe('failed');
});

test.each([
  ['replay-starts-again-when-finished', 'idempotency.no-duplicate'],
  ['older-repetition-unlocks-the-chat', 'idempotency.no-duplicate/while-generating'],
  ['response-stops-when-client-leaves', 'conflict.ends/at-last'],
  ['busy-chat-accepts', 'conflict.refused'],
  ['conflict-queued-until-idle', 'conflict.no-trace'],
  ['neighbour-fails-meanwhile', 'conflict.other-chat/at-once'],
  ['response-lost-beside-another', 'conflict.refused/to-the-end'],
  ['parent-of-all-chats', 'messages.parent-in-chat/two-chats'],
  ['key-cold-after-idle', 'access.granted/listDataSources/lapses'],
  ['deletion-locks-cursors', 'paging.any-id-is-cursor/listModels/at-last'],
  ['deletion-first-try-500', 'access.granted/deleteDataSource/at-last'],
])('%s is seen although other checks run and the deployment can have no outage', async (fault, id) => {
  const all = await foundWithoutOutage(7, fault);
  expect(['failed', 'warned']).toContain(all.find((one) => one.id === id)?.verdict);
});
