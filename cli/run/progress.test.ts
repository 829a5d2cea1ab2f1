import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { checks } from '../../testing/samples/run-records.ts';
import { showProgress } from './progress.ts';

/** The times shown by a run whose checks end at those seconds, where the forecast expects one each second. */
function timesOf(seconds: readonly number[]): readonly string[] {
  let now = 0;
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  const expected = seconds.map((_, index) => ({ id: `paging.${index}` }));
  const forecast = { durationMs: 1000 * seconds.length, endsMs: seconds.map((_, index) => 1000 * (index + 1)) };
  const progress = showProgress(stream, expected, forecast, () => now);
  const [sample] = checks;
  if (sample === undefined) throw new Error('there is no sample of a check');
  for (const [index, end] of seconds.entries()) {
    now = 1000 * end;
    progress.onCheck({ ...sample, ...expected[index] });
  }
  return [...String(stream.read()).matchAll(/, (\d+ s of about \d+ s)/g)].flatMap(([, times]) => times ?? []);
}

test('elsewhere than on a terminal, a run that takes long shows so, although no area is finished', () => {
  let now = 0;
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: false });
  const expected = Array.from({ length: 10 }, (_, index) => ({ id: `paging.${index}` }));
  const forecast = { durationMs: 100_000, endsMs: expected.map((_, index) => 10_000 * (index + 1)) };
  const progress = showProgress(stream, expected, forecast, () => now);
  const [sample] = checks;
  if (sample === undefined) throw new Error('there is no sample of a check');
  for (const { id } of expected.slice(0, 5)) {
    now += 40_000;
    progress.onCheck({ ...sample, id, verdict: 'passed' });
  }
  expect(stream.read()).toMatch(/^2 of 10 checks, 80 s of about 7 min\n4 of 10 checks, .* of about 7 min\n$/);
});

test('the duration is expected at the pace of the checks so far', () => {
  expect(timesOf([1, 2, 3, 4])).toEqual([
    '1 s of about 4 s',
    '2 s of about 4 s',
    '3 s of about 4 s',
    '4 s of about 4 s',
  ]);
  expect(timesOf([3, 6, 7, 8])).toEqual([
    '3 s of about 12 s',
    '6 s of about 12 s',
    '7 s of about 9 s',
    '8 s of about 8 s',
  ]);
});
