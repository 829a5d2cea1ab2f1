import { expect, test } from 'vitest';
import { Api, as } from '../../engine/api.ts';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError, type TransportFailure } from '../../core/http.ts';
import { noteHeld } from '../../engine/session/held-requests.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import type { Exchange } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';
import { confirmed } from './unanswered.ts';
import { invariants } from './invariants.ts';

/** Which of some lists of models fail, and whether that was an accident. */
function openRun(failing: () => TransportFailure | undefined) {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1 });
  const deployment: Deployment = async (request) => {
    const failure = failing();
    if (failure !== undefined) throw new TransportError(failure, 'no answer');
    return reference.deployment(request);
  };
  const session = createSession({ deployment, target: reference.target, clock, seed: 1, invariants });
  const [principal] = reference.target.principals;
  if (principal === undefined) throw new Error('no principal is declared');
  const api = new Api(session, 'test');
  const list = () => api.listModels(as(principal), principal.adminOf[0] ?? '');
  return {
    list,
    clock,
    session,
    judge: (violations: readonly Violation[] = session.invariant('robustness.answered').violations) =>
      confirmed(api, violations),
  };
}

/** Lists the models until the operation is given up, and asks whether that was an accident, when `failing` says no more. */
async function verdictAfter(failing: () => boolean) {
  const run = openRun(() => (failing() ? 'timeout' : undefined));
  for (let count = 0; count < 4; count += 1) await expect(run.list()).rejects.toThrow(TransportError);
  return run;
}

test('an outage that is over is no violation', async () => {
  let isDown = true;
  const { judge } = await verdictAfter(() => isDown);
  isDown = false;
  expect(await judge()).toBeUndefined();
});

test('an operation that was given up is tried again after a while', async () => {
  let isDown = true;
  const { list, clock } = await verdictAfter(() => isDown);
  isDown = false;
  await expect(list()).rejects.toThrow('not sent');
  await clock.sleep(30_000);
  expect((await list()).status).toBe(200);
});

test('what is answered then, and only by too much, is no missing answer', async () => {
  let failure: TransportFailure = 'timeout';
  const { list, judge } = openRun(() => failure);
  for (let count = 0; count < 4; count += 1) await expect(list()).rejects.toThrow(TransportError);
  failure = 'too-large';
  expect(await judge()).toBeUndefined();
});

test.each([
  ['alone', 1, true],
  ['together with another', 2, false],
] as const)(
  'answers that are cut again and again, each %s, are held against the deployment: %s',
  async (_how, together, isHeld) => {
    let isCutting = true;
    const { list, clock, judge } = openRun(() => (isCutting ? 'truncated' : undefined));
    for (let time = 0; time < 3; time += 1) {
      isCutting = true;
      await Promise.allSettled(Array.from({ length: together }, list));
      isCutting = false;
      await clock.sleep(3000);
    }
    expect((await judge()) !== undefined).toBe(isHeld);
  },
);

test('what does not answer then either is a violation', async () => {
  const { judge } = await verdictAfter(() => true);
  expect(await judge()).toMatchObject({ actual: expect.stringContaining('timeout, GET listModels') });
});

test.each<[TransportFailure, boolean]>([
  ['timeout', false],
  ['reset', false],
  ['refused', false],
  ['truncated', true],
  ['malformed', true],
])('every other answer %s, and there when asked again, is held against the deployment: %s', async (failure, isHeld) => {
  let count = 0;
  const { list, clock, judge } = openRun(() => ((count += 1) % 2 === 1 && count < 8 ? failure : undefined));
  for (let asked = 0; asked < 6; asked += 1) {
    await list().catch(() => undefined);
    await clock.sleep(3000);
  }
  expect((await judge()) !== undefined).toBe(isHeld);
});

test.each([
  [9, true],
  [10, false],
] as const)(
  'three answers cut off, among so many whole ones, %i, are held against the deployment: %s',
  async (whole, isHeld) => {
    let count = 0;
    const { list, clock, judge } = openRun(() => ((count += 1) % 2 === 1 && count < 6 ? 'truncated' : undefined));
    for (let asked = 0; asked < whole; asked += 1) {
      await list();
      await clock.sleep(3000);
    }
    expect((await judge()) !== undefined).toBe(isHeld);
  },
);

/** Messages with wait=30 whose connections broke, each at a time and after some milliseconds. */
function cut(...times: readonly (readonly [sentAt: number, tookMs: number])[]): readonly Violation[] {
  return times.map(([sentAt, tookMs], index) => {
    const path = `/api/public/organizations/o/chats/c${index}/messages?wait=30`;
    const exchange: Exchange = {
      operation: 'listModels',
      caller: 'alice',
      request: { method: 'GET', path, headers: {}, timeoutMs: 1000 },
      sentAt,
      receivedAt: sentAt + tookMs,
      outcome: { kind: 'failed', failure: 'reset', message: 'it broke' },
    };
    return new Violation('an answer', 'none', [exchange]);
  });
}

const cuts: readonly (readonly [number, number])[] = [
  [0, 10_000],
  [20_000, 10_400],
  [40_000, 9600],
];

test.each([
  [true, 'each time', cuts],
  [true, 'each time, the latest named first', cuts.toReversed()],
  [false, 'twice', cuts.slice(1)],
  [false, 'after other times', [...cuts.slice(1), [0, 11_000]] as const],
  [false, 'in one outage', [...cuts.slice(1), [41_000, 10_000]] as const],
  [true, 'in two outages and once more', [...cuts.slice(1), [41_001, 10_000]] as const],
  [false, 'at once', [0, 20_000, 40_000].map((at) => [at, 899] as const)],
  [true, 'after the least time', [0, 20_000, 40_000].map((at) => [at, 900] as const)],
])('held requests that break after the same time, %s: %s', async (isHeld, _how, times) => {
  const { judge } = openRun(() => undefined);
  expect((await judge(cut(...times))) !== undefined).toBe(isHeld);
});

test.each([
  [true, 'sooner', 50, 9599],
  [true, 'as late, but only some', 9, 9600],
  [false, 'as late', 10, 9600],
  [false, 'later', 10, 20_000],
])(
  'held requests that break after the same time, %s, where others are answered %s',
  async (isHeld, _how, count, tookMs) => {
    const { judge, session } = openRun(() => undefined);
    const response = { status: 202, headers: {}, body: new Uint8Array() };
    for (const { evidence } of cut(...Array.from({ length: count }, () => [0, tookMs] as const))) {
      for (const one of evidence) noteHeld(session, { ...one, outcome: { kind: 'answered', response } });
    }
    expect((await judge(cut(...cuts))) !== undefined).toBe(isHeld);
  },
);
