import { expect, test } from 'vitest';
import type { RunHistoryLine } from './run-history.ts';
import { verdictHistory } from './verdict-history.ts';

type Verdicts = RunHistoryLine['verdicts'];

/** Runs of the builds, one an hour. */
function runs(...all: readonly (readonly [build: string, verdicts: Verdicts])[]): readonly RunHistoryLine[] {
  return all.map(([build, verdicts], hour) => ({
    format: 'awc-run-history/1',
    series: 'Staging',
    build,
    at: new Date(Date.UTC(2026, 10, 2, hour)).toISOString(),
    verdicts,
  }));
}

const good = { 'paging.limit': 'passed', 'rate.honest': 'passed' } as const;
const bad = { ...good, 'paging.limit': 'failed' } as const;

test('a failure dates from the first run of an unbroken row of failures', () => {
  const { runs: count, failing } = verdictHistory(runs(['1', bad], ['2', good], ['3', bad], ['4', bad], ['5', bad]));
  expect(count).toBe(5);
  expect(failing).toEqual([
    {
      requirement: 'paging.limit',
      since: { build: '3', at: '2026-11-02T02:00:00.000Z' },
      runs: 3,
      lastPassed: { build: '2', at: '2026-11-02T01:00:00.000Z' },
    },
  ]);
});

test('a run that did not exercise the requirement neither ends a row of failures nor counts', () => {
  const blocked = { ...good, 'paging.limit': 'blocked' } as const;
  const [failure] = verdictHistory(runs(['1', good], ['2', bad], ['3', blocked], ['4', {}], ['5', bad])).failing;
  expect(failure).toMatchObject({ since: { build: '2' }, runs: 2, lastPassed: { build: '1' } });
});

test('a requirement that failed in every run has no last success', () => {
  const [failure] = verdictHistory(runs(['1', bad], ['2', bad])).failing;
  expect(failure).toMatchObject({ since: { build: '1' }, runs: 2 });
  expect(failure).not.toHaveProperty('lastPassed');
});

test.each(['warned', 'waived'] as const)('what is %s counts as violated', (verdict) => {
  const [failure] = verdictHistory(runs(['1', good], ['2', { ...good, 'rate.honest': verdict }])).failing;
  expect(failure).toMatchObject({ requirement: 'rate.honest', since: { build: '2' } });
});

test('a requirement that passes now and failed before is fixed once', () => {
  const history = runs(['1', good], ['2', bad], ['3', good], ['4', good]);
  expect(verdictHistory(history.slice(0, 3)).fixed).toEqual([
    { requirement: 'paging.limit', failed: { build: '2', at: '2026-11-02T01:00:00.000Z' } },
  ]);
  expect(verdictHistory(history).fixed).toEqual([]);
});

test('a requirement that passes again on the build that failed is not fixed: it flips', () => {
  const { fixed, flips } = verdictHistory(runs(['1', good], ['2', bad], ['2', good]));
  expect(fixed).toEqual([]);
  expect(flips).toHaveLength(1);
  expect(verdictHistory(runs(['', bad], ['', good])).fixed).toHaveLength(1);
});

test('a verdict that changes on one build flips, and the builds are counted', () => {
  const { flips } = verdictHistory(runs(['1', good], ['1', bad], ['2', good], ['3', bad], ['3', good], ['3', bad]));
  expect(flips).toEqual([{ requirement: 'paging.limit', build: '3', passed: 1, violated: 2, builds: 2 }]);
});

test('a flip is forgotten after fifty runs', () => {
  const after = Array.from({ length: 50 }, (_, build) => [`2.${build}`, good] as const);
  expect(verdictHistory(runs(['1', good], ['1', bad], ...after.slice(1))).flips).toHaveLength(0);
  expect(verdictHistory(runs(['1', good], ['1', bad], ...after.slice(2))).flips).toHaveLength(1);
});

test('runs without the name of a build are not known to be of one build', () => {
  expect(verdictHistory(runs(['', good], ['', bad])).flips).toEqual([]);
});
