import { expect, test } from 'vitest';
import { historyLines } from './history-lines.ts';

const at = '2026-11-02T10:05:00Z';

test('each requirement gets a sentence with builds and days', () => {
  expect(
    historyLines({
      runs: 9,
      failing: [
        { requirement: 'paging.limit', since: { build: '1.4.2', at }, runs: 3, lastPassed: { build: '1.4.1', at } },
        { requirement: 'rate.honest', since: { build: '', at }, runs: 1 },
      ],
      fixed: [{ requirement: 'models.success', failed: { build: '1.4.1', at } }],
      flips: [{ requirement: 'wait.holds', build: '\u001b[31m1.4.2', passed: 2, violated: 1, builds: 3 }],
    }),
  ).toEqual([
    'paging.limit fails since build 1.4.2 (2026-11-02), in 3 runs; it last passed in build 1.4.1 (2026-11-02).',
    'rate.honest fails since the run of 2026-11-02 10:05, in 1 run; it never passed before.',
    'models.success is fixed: it failed last in build 1.4.1 (2026-11-02).',
    expect.stringMatching(
      /^wait\.holds flips: on build [^\u001b]*1\.4\.2 it passed in 2 runs and failed in 1 run\. It flips on 3 builds\.$/,
    ),
  ]);
});
