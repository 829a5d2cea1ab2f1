import { expect, test } from 'vitest';
import { type HistoryRun, loadHistory } from '../../load/compare/history.ts';
import { appendRun, readHistory } from './history-file.ts';

const run: HistoryRun = {
  format: 'awc-history/1',
  series: 'Staging steady',
  build: '1.2.3',
  at: '2026-11-02T10:00:00Z',
  figures: { p50: 5000, p90: 8000, p95: 9000, p99: 15_000, throughput: 500 },
};

test('what is appended is read again, in order', () => {
  const text = appendRun(appendRun('', run, loadHistory), { ...run, build: '1.2.4' }, loadHistory);
  const { runs, problems } = readHistory(text, loadHistory);
  expect(problems).toEqual([]);
  expect(runs.map(({ build }) => build)).toEqual(['1.2.3', '1.2.4']);
  expect(runs[0]).toEqual(run);
});

test('lines that are not runs are reported and kept', () => {
  const later = '{"format":"awc-history/2"}';
  const text = appendRun(`${later}\n{"torn`, run, loadHistory);
  expect(text.split('\n').slice(0, 2)).toEqual([later, '{"torn']);
  const { runs, problems } = readHistory(text, loadHistory);
  expect(runs).toHaveLength(1);
  expect(problems.map(({ line }) => line)).toEqual([1, 2]);
  expect(problems[1]?.problem).toBe('is not JSON');
});

test.each([
  ['a figure that is not above zero', { ...run, figures: { ...run.figures, p50: 0 } }],
  ['a time that is none', { ...run, at: 'yesterday' }],
  ['an unknown field', { ...run, note: 'fast' }],
  ['a line without end', { ...run, build: 'x'.repeat(5000) }],
])('%s is reported', (_, wrong) => {
  const { runs, problems } = readHistory(JSON.stringify(wrong), loadHistory);
  expect(runs).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('a history keeps a thousand runs, and the oldest go', () => {
  let text = '';
  for (let build = 0; build < 1003; build += 1) text = appendRun(text, { ...run, build: String(build) }, loadHistory);
  const { runs } = readHistory(text, loadHistory);
  expect(runs).toHaveLength(1000);
  expect(runs[0]?.build).toBe('3');
  expect(runs.at(-1)?.build).toBe('1002');
});
