import { expect, test } from 'vitest';
import { seededRandom } from '../../reference/random.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { buildComparisonRecord } from './build-comparison-record.ts';
import { type BuildComparison, compareRecords, failsMoreOften, roundsOfRecords } from './compare-records.ts';
import { historyRunOf, seriesOf } from './history.ts';
import { renderBuilds } from './render/render-builds.ts';
import { simulatedRecord } from '../../testing/simulated/record.ts';
import { quietBuild as quiet, type SimulatedBuild, simulateTrial, slower } from '../../testing/simulated/trials.ts';
import { whyIncomparable } from './why-incomparable.ts';

const schedule = { ratePerSecond: 200, seconds: 5 };
const { next } = seededRandom(1, 'records');
const options = { margin: 0.1, required: ['p50', 'throughput'] } as const;

/** Runs of two builds by turns: A B, B A, … */
function byTurns(b: SimulatedBuild, rounds: number, overB: Partial<LoadRecord> = {}) {
  const at = (round: number, isSecond: boolean) => 2 * round + (isSecond === (round % 2 === 0) ? 1 : 0);
  const runs = Array.from({ length: rounds }, (_, round) => round);
  return {
    a: runs.map((round) => simulatedRecord(simulateTrial(quiet, schedule, next), at(round, false))),
    b: runs.map((round) => simulatedRecord(simulateTrial(b, schedule, next), at(round, true), overB)),
  };
}

const equal = byTurns(quiet, 8);

test('a simulated record is a record', () => {
  expect(loadRecordSchema.parse(equal.a[0])).toEqual(equal.a[0]);
});

test('runs by turns are rounds, whichever went first, and others are not', () => {
  expect(roundsOfRecords(equal.a, equal.b)).toEqual(equal.a.map((a, index) => ({ a, b: equal.b[index] })));
  expect(roundsOfRecords(equal.a.slice(1), equal.b)).toBeUndefined();
  expect(roundsOfRecords(equal.a.slice(0, 1), equal.b.slice(0, 1))).toBeUndefined();
  const later = equal.b.map((record, index) => ({ ...record, startedAt: `2026-12-01T10:0${index}:00Z` }));
  expect(roundsOfRecords(equal.a, later)).toBeUndefined();
});

test.each([
  ['an equal build', quiet, 'no-worse', 'B is no worse than A by more than 10%: p50, throughput.'],
  ['a slower one', slower(quiet, 1.3, 1.3), 'worse', 'B is worse than A: p50, p90, p95.'],
])('%s', (_name, build, verdict, said) => {
  const { a, b } = byTurns(build, 12);
  const compared = compareRecords(a, b, options);
  expect(compared).toMatchObject({ verdict, notes: [], comparison: { unit: 'round' } });
  expect(
    renderBuilds(compared, options)
      .at(-1)
      ?.slice(0, said.length - 1),
  ).toBe(said.slice(0, -1));
  expect(compareRecords(a, b, options)).toEqual(compared);
});

test('three rounds can only end without a verdict', () => {
  const { a, b } = byTurns(quiet, 3);
  const compared = compareRecords(a, b, options);
  expect(compared.verdict).toBe('cannot-tell');
  expect(renderBuilds(compared, options).at(-1)).toBe(
    'No verdict on whether B is worse than A by more than 10%: cannot tell from p50, throughput.',
  );
});

test('a figure that is not required may stay open, but not be worse', () => {
  const ofAll = compareRecords(equal.a, equal.b, { margin: 0.0001, required: ['p50'] });
  expect(ofAll.verdict).toBe('cannot-tell');
  const { a, b } = byTurns(slower(quiet, 1, 1.5), 8);
  expect(compareRecords(a, b, { margin: 0.1, required: ['throughput'] }).verdict).toBe('worse');
});

test('runs whose generator was the bottleneck are left out, with the other run of their round', () => {
  const [first] = equal.a;
  if (first === undefined) throw new Error('no run');
  const late: LoadRecord = { ...first, generator: { ...first.generator, verdict: 'bottleneck' } };
  const compared = compareRecords([late, ...equal.a.slice(1)], equal.b, options);
  expect(compared.comparison?.trials).toEqual({ a: 7, b: 7 });
  expect(compared.notes[0]).toMatch(/^1 of 8 rounds excluded: the generator was the bottleneck/);
  const allLate = equal.a.map((record) => ({ ...record, generator: late.generator }));
  const none = compareRecords(allLate, equal.b, options);
  expect([none.comparison, none.verdict]).toEqual([undefined, 'cannot-tell']);
  expect(renderBuilds(none, options).at(-1)).toContain('no usable runs of both builds');
});

test('a build that breaks promises is worse, however fast', () => {
  const [first] = equal.b;
  if (first === undefined) throw new Error('no run');
  const wrong = [{ ...first, validation: { ...first.validation, broken: 3 } }, ...equal.b.slice(1)];
  const compared = compareRecords(equal.a, wrong, options);
  expect(compared.verdict).toBe('worse');
  expect(compared.worse[0]).toMatch(/^B violated requirements in 3 of \d+ answers checked, A in none of \d+\.$/);
  expect(compareRecords(wrong, wrong, options).worse).toEqual([]);
});

test('a build that fails more often is worse, and one hiccup is none', () => {
  const failing = (record: LoadRecord, slices: number): LoadRecord => ({
    ...record,
    slices: record.slices.map((slice, index) =>
      index < slices ? { ...slice, classes: { ...slice.classes, failed: 2 } } : slice,
    ),
  });
  const often = compareRecords(
    equal.a,
    equal.b.map((record) => failing(record, 2)),
    options,
  );
  expect(often.worse[0]).toBe(
    'B fails more often: requests failed in 16 of 40 time intervals, requests of A in 0 of 40.',
  );
  const [first, ...rest] = equal.b;
  if (first === undefined) throw new Error('no run');
  expect(compareRecords(equal.a, [failing(first, 5), ...rest], options).worse).toEqual([]);
});

test('an operation that a build never serves is a reason, and one that no build serves leaves no verdict', () => {
  const without = (records: readonly LoadRecord[]) =>
    records.map((record): LoadRecord => ({ ...record, unserved: ['listDataSources'] }));
  const lost = compareRecords(equal.a, without(equal.b), options);
  expect(lost.verdict).toBe('worse');
  expect(lost.worse).toEqual(['No request of listDataSources succeeded on B, but some did on A.']);
  const [first, ...rest] = equal.b;
  if (first === undefined) throw new Error('no run');
  expect(compareRecords(equal.a, [...without([first]), ...rest], options).verdict).toBe('no-worse');
  expect(compareRecords(without(equal.a), equal.b, options).verdict).toBe('no-worse');
  const neither = compareRecords(without(equal.a), without(equal.b), options);
  expect(neither.verdict).toBe('cannot-tell');
  expect(renderBuilds(neither, options).at(-1)).toBe(
    'No verdict on whether B is worse than A by more than 10%: no request of listDataSources succeeded.',
  );
  const slow = byTurns(slower(quiet, 1.3, 1.3), 8);
  expect(compareRecords(without(slow.a), without(slow.b), options).verdict).toBe('worse');
});

test.each([
  [0, 9, false],
  [0, 10, true],
  [30, 30, false],
  [30, 62, true],
  [5, 0, false],
])('of 100 stretches each, %i failed and %i failed: %s', (a, b, isMore) => {
  expect(failsMoreOften({ failed: a, of: 100 }, { failed: b, of: 100 })).toBe(isMore);
});

test('a build that had to be stopped is worse', () => {
  const aborted = byTurns(quiet, 8, { result: 'aborted' });
  const compared = compareRecords(aborted.a, aborted.b, options);
  expect(compared.worse[0]).toMatch(/^8 of 8 runs of B were ended early/);
  expect(compared.verdict).toBe('worse');
});

type OneSchedule = {
  readonly isFailing?: boolean;
  readonly ratePerSecond?: number;
  readonly latencyUs?: number;
  readonly margin?: number;
  /** How many runs miss requests; by default all. */
  readonly badRuns?: number;
};

/**
 * Runs of five seconds on one schedule. In the bad runs of a build, that many of its requests got no answer within the measured
 * time: it came later, or they failed.
 */
function onOneSchedule(
  missing: { readonly a: number; readonly b: number },
  { isFailing = false, ratePerSecond = 200, latencyUs, margin = 0.05, badRuns = Infinity }: OneSchedule = {},
) {
  const without = (ofBadRun: number) => (record: LoadRecord, run: number) => {
    const count = run < badRuns ? ofBadRun : 0;
    return {
      ...record,
      offeredPerSecond: ratePerSecond,
      slices: record.slices.map((slice) => {
        const arrived = ratePerSecond - count / record.slices.length;
        const times: [number, number][] | undefined =
          latencyUs === undefined ? undefined : [[latencyUs, ratePerSecond]];
        const latency = times === undefined ? slice.latency : { listModels: times };
        return { ...slice, due: ratePerSecond, arrived, classes: { ok: isFailing ? arrived : ratePerSecond }, latency };
      }),
    };
  };
  return compareRecords(equal.a.map(without(missing.a)), equal.b.map(without(missing.b)), {
    margin,
    required: ['throughput'],
  });
}

function throughputOf({ comparison }: BuildComparison) {
  return comparison?.figures.at(-1)?.verdict.kind;
}

test.each([
  { a: 0, b: 5 },
  { a: 5, b: 0 },
  { a: 0, b: -5 },
])('the schedule sets the throughput of builds that keep up: %o answers are missing', (missing) => {
  const compared = onOneSchedule(missing);
  expect([throughputOf(compared), compared.verdict]).toEqual(['kept-up', 'no-worse']);
  const lines = renderBuilds(compared, { margin: 0.05, required: ['p50', 'throughput'] });
  expect(lines.join('\n')).toContain('throughput is not compared: both builds kept up with the load (A');
  expect(lines.at(-1)).toBe('B is no worse than A by more than 5%: p50; both kept up.');
  const record = buildComparisonRecord(compared, { ...equal, margin: 0.05, required: ['p50'] });
  const missed = Math.max(0, missing.a, missing.b) / 1000;
  expect(record?.figures.at(-1)).toMatchObject({ verdict: 'kept-up', shortfall: { missing: expect.closeTo(missed) } });
});

test.each<readonly [string, number, OneSchedule]>([
  ['fails', 100, { isFailing: true }],
  ['answers late', 100, {}],
  ['holds requests so long that chance explains what is missing', 100, { latencyUs: 3_000_000 }],
  [
    'holds requests so long that chance explains a fifth of a short run',
    10,
    { latencyUs: 2_000_000, ratePerSecond: 10 },
  ],
])('a build that %s does not keep up: it is worse, and the other one better', (_name, missing, over) => {
  expect(throughputOf(onOneSchedule({ a: 0, b: missing }, over))).toBe('worse');
  expect(throughputOf(onOneSchedule({ a: missing, b: 0 }, over))).toBe('better');
});

test.each([
  [5, 'kept-up'],
  [20, 'no-worse'],
  [300, 'cannot-tell'],
])('builds kept up only if they did in every run: %i requests of one run are missing', (missing, verdict) => {
  for (const isFailing of [false, true]) {
    const compared = onOneSchedule({ a: 0, b: missing }, { badRuns: 1, isFailing });
    expect(throughputOf(compared)).toBe(verdict);
  }
});

test('a margin below 1% limits what may be missing', () => {
  expect(throughputOf(onOneSchedule({ a: 0, b: 4 }, { margin: 0.005 }))).toBe('kept-up');
  expect(throughputOf(onOneSchedule({ a: 0, b: 6 }, { margin: 0.005 }))).not.toBe('kept-up');
});

test.each<readonly [string, Partial<LoadRecord>, RegExp]>([
  ['a closed load', { profile: { ...simulated().profile, kind: 'closed' } }, /is not an open load/],
  ['an interrupted run', { result: 'interrupted' }, /was interrupted/],
  ['another profile', { profile: { ...simulated().profile, digest: 'sha256:1' } }, /of different profiles/],
  ['a shard', { shards: { of: 2, indexes: [1] } }, /one shard of several/],
])('%s is not compared', (_name, over, wanted) => {
  expect(whyIncomparable(equal.a, [{ ...simulated(), ...over }])).toMatch(wanted);
});

test('what was run with one profile is compared', () => {
  expect(whyIncomparable(equal.a, equal.b)).toBeUndefined();
  const older = equal.b.map((record) => ({
    ...record,
    slices: record.slices.map(({ arrived: _arrived, ...slice }) => slice),
  }));
  expect(whyIncomparable(older, older)).toBeUndefined();
  expect(whyIncomparable(older, equal.a)).toMatch(/is of an older version, .* run it again\.$/);
  expect(whyIncomparable(equal.a, [])).toBe('At least one run of each build is needed.');
});

function simulated(): LoadRecord {
  return simulatedRecord(simulateTrial(quiet, schedule, next), 0);
}

test('a run becomes a line of a history, in the series of its target and profile', () => {
  const record = simulated();
  expect(historyRunOf([record], '1.2.3')).toMatchObject({
    run: { series: 'Simulated steady 00000000', build: '1.2.3', at: record.startedAt },
  });
  expect(seriesOf([record, record])).toBe('Simulated steady 00000000 ×2');
});

test.each<readonly [Partial<LoadRecord>, string]>([
  [{ result: 'aborted' }, 'a run was aborted'],
  [{ generator: { ...simulated().generator, verdict: 'bottleneck' } }, 'the generator was the bottleneck'],
  [{ slices: [] }, 'there was no answer'],
])('what would mislead a history stays out (%#)', (over, reason) => {
  expect(historyRunOf([{ ...simulated(), ...over }], '')).toEqual({ reason });
});
