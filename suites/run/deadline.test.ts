import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import { suites } from '../index.ts';
import { deadlineIn } from './deadline.ts';
import { defineTests, type Reported, type Vitest } from './define-tests.ts';
import { mostImportantFirst } from './most-important-first.ts';
import { openSession } from './open-session.ts';

type Run = Parameters<Vitest['test']>[2];

/** The time of a check of the phase `last` after the others, in milliseconds. */
const graceMs = 1500;

/** Runs the suite in virtual time with a time limit, and gives the records of its checks and how long it took. */
async function runWithin(ms: number, assistant: string, maxRequestsPerSecond: number) {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1, choices: { assistant }, latencyMs: [5, 5] });
  const target = { ...reference.target, limits: { ...reference.target.limits, maxRequestsPerSecond } };
  const checks = mostImportantFirst(suites);
  const session = openSession({ deployment: reference.deployment, target, clock, seed: 1 }, checks);
  const tasks: { readonly name: string; readonly mode: string; readonly run: Run }[] = [];
  const define: Vitest['test'] = (name, _options, run) => void tasks.push({ name, mode: 'run', run });
  const startedAt = clock.now();
  defineTests({ test: define }, checks, session, { strict: false, deadline: deadlineIn(ms, clock) });
  const recordOf = async ({ run }: { readonly run: Run }): Promise<CheckRecord> => {
    const meta: { awc?: Reported } = {};
    await Promise.allSettled([run({ task: { meta, file: { tasks } }, skip })]);
    if (meta.awc === undefined) throw new Error('a test ended without a verdict');
    return meta.awc.check;
  };
  const records = await Promise.all(tasks.map(recordOf));
  return { records, tookMs: clock.now() - startedAt };
}

function skip(): never {
  throw new Error('skipped');
}

function exercisedMusts(records: readonly CheckRecord[]): ReadonlySet<string> {
  const musts = records.filter(({ level, verdict }) => level === 'must' && verdict !== 'blocked');
  return new Set(musts.map(({ requirement }) => requirement));
}

test.each([
  ['quick-and-slow', Number.POSITIVE_INFINITY],
  ['always-1-s', Number.POSITIVE_INFINITY],
  ['always-6-s', Number.POSITIVE_INFINITY],
  ['always-1-s', 20],
])(
  'a longer time exercises the same musts and more, and each run ends in time: an assistant %s, %d requests a second',
  async (assistant, rate) => {
    let shorter: ReadonlySet<string> = new Set();
    for (const ms of [2000, 5000, 10_000, 20_000, 30_000, 60_000]) {
      const { records, tookMs } = await runWithin(ms, assistant, rate);
      const musts = exercisedMusts(records);
      expect([...shorter].filter((id) => !musts.has(id))).toEqual([]);
      expect(tookMs).toBeLessThanOrEqual(ms + graceMs);
      shorter = musts;
    }
    expect(shorter.size).toBeGreaterThan(120);
  },
);

test('what is cheap to judge is judged first: every must that lists show, in two seconds', async () => {
  const { records } = await runWithin(2000, 'always-6-s', Number.POSITIVE_INFINITY);
  const musts = exercisedMusts(records);
  const reading = suites.filter(
    ({ level, phase, uses }) => level === 'must' && phase === 'together' && uses.length === 0,
  );
  expect(reading.filter(({ requirement }) => !musts.has(requirement))).toEqual([]);
});

test('a check that uses a quota up does not begin shortly before the end', async () => {
  const clock = virtualClock();
  const { judgeInTime } = deadlineIn(15_000, clock);
  const [own] = suites;
  if (own === undefined) throw new Error('no checks');
  const limit = { ...own, phase: 'rateLimit', uses: ['rateLimit'] } as const;
  const passed = { kind: 'passed' } as const;
  const { judgeInTime: judgeLater } = deadlineIn(9000, clock);
  expect(await judgeLater(limit, async () => passed)).toMatchObject({
    reason: 'left out: less than 10 s of the time budget were left; a rate limit may take that long',
  });
  expect(await judgeLater({ ...limit, uses: [] }, async () => passed)).toEqual(passed);
  expect(await judgeInTime(limit, () => clock.sleep(6000).then(() => passed))).toEqual(passed);
  expect(await judgeInTime(limit, async () => passed)).toEqual(passed);
});

test('a check that has not begun is left out, one that goes on is given up, and the checks of all answers still run', async () => {
  const clock = virtualClock();
  const { judgeInTime } = deadlineIn(1000, clock);
  const passed = { kind: 'passed' } as const;
  const lasting = (ms: number) => () => clock.sleep(ms).then(() => passed);
  const [own] = suites;
  if (own === undefined) throw new Error('no checks');
  const [usual, last] = [
    { ...own, phase: 'together' },
    { ...own, phase: 'last' },
  ] as const;
  expect(await judgeInTime(usual, lasting(900))).toEqual(passed);
  expect(await judgeInTime(usual, lasting(900))).toMatchObject({
    reason: 'not finished: the time budget was used up',
  });
  expect(await judgeInTime(usual, lasting(0))).toMatchObject({
    reason: 'left out: the time budget was used up before its turn came',
  });
  expect(await judgeInTime(last, lasting(100))).toEqual(passed);
  expect(await judgeInTime(last, lasting(5000))).toMatchObject({
    reason: 'not finished: the time budget was used up',
  });
});
