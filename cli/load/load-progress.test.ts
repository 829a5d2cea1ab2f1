import { describe, expect, test } from 'vitest';
import { countSample, countSent, createMeasurement, type Measurement } from '../../load/measure/measurement.ts';
import type { Outcome } from '../../load/measure/outcome.ts';
import type { LoadProgress } from '../../load/measure/report-progress.ts';
import { showLoadProgress } from './load-progress.ts';
import { isLiveLine, liveBlock, liveLine } from './live-view.ts';

/** A request in each tenth of each of so many seconds, 2 ms late and answered in 20 ms. */
function measured(seconds: number, outcome: (index: number) => Outcome = () => 200): Measurement {
  const measurement = createMeasurement(30_000);
  for (let index = 0; index < seconds * 10; index += 1) {
    const times = { operation: 'listModels', atMs: index * 100, latencyMs: 20, serviceMs: 18 } as const;
    countSent(measurement, times.operation, times.atMs, 2);
    countSample(measurement, { ...times, outcome: outcome(index) });
  }
  return measurement;
}

function progress(changed: Partial<LoadProgress> = {}): LoadProgress {
  return { elapsedMs: 12_000, plannedMs: 30_000, measurement: measured(12), broken: 0, ...changed };
}

test.each<[string, Partial<LoadProgress>, RegExp]>([
  ['where it is', {}, /^12 of 30 s · /],
  ['no end where the answers decide it', { plannedMs: undefined }, /^12 s · /],
  ['the offered and the succeeded rate', {}, /offered 10\.0\/s, succeeded 10\.0\/s/],
  ['of the last seconds only', { measurement: measured(10) }, /offered 6\.0\/s, succeeded 6\.0\/s/],
  ['percentiles', {}, /p50 20\.\d p95 20\.\d p99 20\.\d ms/],
  [
    'something before the first slice is over',
    { elapsedMs: 800, measurement: measured(1) },
    /offered 12\.5\/s, succeeded 12\.5/,
  ],
  [
    'that nothing was answered',
    { measurement: measured(0) },
    /offered 0\.0\/s, .* no answer to these yet · waiting 0 · nothing answered/,
  ],
  [
    'statuses and failures apart',
    { measurement: measured(12, (index) => (index < 60 ? 200 : index < 119 ? 429 : 'timeout')) },
    /succeeded 0\.0\/s .* 200: 60, 429: 59, timeout: 1/,
  ],
  ['broken promises', { broken: 3 }, /200: 120, 3 violating answers/],
  ['how many requests wait', {}, / ms · waiting 0 · /],
  ['more time than was planned', { elapsedMs: 35_200 }, /^35 s \(30 s planned\) · /],
  ['lag', {}, /lag 2\.0 ms$/],
  ['the warm-up', { elapsedMs: -1500 }, /^warming up, or waiting for the start: 2 s left$/],
])('a line shows %s', (_name, changed, wanted) => {
  expect(liveLine(progress(changed))).toMatch(wanted);
  expect(isLiveLine(liveLine(progress(changed)))).toBe(true);
});

test('the succeeded rate is that of the answers in the last seconds, whenever their requests were due', () => {
  const measurement = createMeasurement(30_000);
  for (let index = 0; index < 120; index += 1) {
    const times = {
      operation: 'listModels',
      atMs: index * 100,
      latencyMs: index * 100,
      serviceMs: index * 100,
    } as const;
    countSent(measurement, times.operation, times.atMs, 2);
    if (2 * times.atMs < 12_000) countSample(measurement, { ...times, outcome: 200 });
  }
  expect(liveLine(progress({ measurement }))).toContain('offered 10.0/s, succeeded 5.0/s');
  expect(liveLine(progress({ measurement }))).toContain('waiting 60, the oldest for over 5 s');
});

test('other lines of a log are not taken for progress', () => {
  expect(['Why?', 'steady sends 12 s · offered', '', '12 of 30'].filter(isLiveLine)).toEqual([]);
});

test('no more statuses are shown than fit', () => {
  const measurement = measured(12, (index) => 200 + (index % 20));
  expect(liveLine(progress({ measurement }))).toMatch(/(2\d\d: 6, ){6}…/);
});

describe('a terminal', () => {
  const up = '\u001b[1A';

  function shownOn(stream: { readonly isTTY: boolean; readonly columns?: number }) {
    const written: string[] = [];
    return { written, view: showLoadProgress({ ...stream, write: (text) => written.push(text) }, 'steady') };
  }

  test('has one block, which is written over and gone in the end', () => {
    const { written, view } = shownOn({ isTTY: true, columns: 100 });
    view.report(progress({ elapsedMs: -500 }));
    view.report(progress());
    view.report(progress());
    view.end();
    const blocks = written.filter((text) => text.includes('steady'));
    const clears = written.filter((text) => text.startsWith('\r'));
    const lines = liveBlock('steady', progress()).length;
    expect(blocks.map((text) => text.split('\n').length)).toEqual([1, lines, lines]);
    expect(clears.map((text) => text.split(up).length - 1)).toEqual([0, lines - 1, lines - 1]);
    expect(written.at(-1)).toBe(clears.at(-1));
  });

  test('that is narrow breaks no line in two', () => {
    const { written, view } = shownOn({ isTTY: true, columns: 24 });
    view.report(progress());
    for (const line of (written[0] ?? '').split('\n')) expect(line.length).toBeLessThan(24);
  });

  test('that is none gets a line every five seconds, and nothing else', () => {
    const { written, view } = shownOn({ isTTY: false });
    for (let second = 0; second < 11; second += 1) view.report(progress());
    view.end();
    expect(written).toEqual([`${liveLine(progress())}\n`, `${liveLine(progress())}\n`]);
  });
});
