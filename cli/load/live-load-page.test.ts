import { expect, test } from 'vitest';
import { countSample, countSent, createMeasurement, type Measurement } from '../../load/measure/measurement.ts';
import type { ProgressReport } from '../../load/measure/report-progress.ts';
import { emptyLoadRecord, sampleLoadRecord } from '../../testing/samples/load-records.ts';
import type { Snapshot } from '../live/snapshot.ts';
import { showLoads } from './live-load-page.ts';

function opened() {
  const shown: Snapshot[] = [];
  let isWatched = true;
  const page = { isWatched: () => isWatched, show: (one: Snapshot) => void shown.push(one), close: async () => {} };
  return { ...showLoads(page), shown, watch: (is: boolean) => (isWatched = is) };
}

function request(measurement: Measurement, atMs: number): void {
  const times = { operation: 'listModels', atMs } as const;
  countSent(measurement, times.operation, atMs, 1);
  countSample(measurement, { ...times, outcome: 200, latencyMs: 5, serviceMs: 5 });
}

function reportOf(measurement: Measurement, elapsedMs: number): ProgressReport {
  return { elapsedMs, plannedMs: 9000, measurement, broken: 0, recordOf: () => emptyLoadRecord() };
}

const changedIn = (shown: readonly Snapshot[]) =>
  shown.map((snapshot) => (snapshot.kind === 'load' ? snapshot.changed : []));

test('a page gets the slices that changed since it was last shown, and in the end all', () => {
  const { progress, over, shown, watch } = opened();
  const measurement = createMeasurement(9000);
  request(measurement, 100);
  progress(reportOf(measurement, 1000), '');
  request(measurement, 1100);
  progress(reportOf(measurement, 2000), '');
  watch(false);
  request(measurement, 2100);
  progress(reportOf(measurement, 3000), '');
  watch(true);
  request(measurement, 100); // answered late
  progress(reportOf(measurement, 4000), '');
  over(sampleLoadRecord({ slices: [] }), '');
  expect(changedIn(shown)).toEqual([[0], [1], [0, 2], []]);
  expect(shown.map(({ clock }) => clock)).toEqual(['1 of 9 s', '2 of 9 s', '4 of 9 s', '']);
});

test('another run begins with all of its slices, and says which it is', () => {
  const { progress, shown } = opened();
  for (const name of ['run 1 of 2: ', 'run 2 of 2: ']) {
    const measurement = createMeasurement(9000);
    request(measurement, 100);
    progress(reportOf(measurement, 1000), name);
  }
  expect(changedIn(shown)).toEqual([[0], [0]]);
  expect(shown.map(({ clock }) => clock)).toEqual(['run 1 of 2: 1 of 9 s', 'run 2 of 2: 1 of 9 s']);
});

test('the warm-up and a search for the capacity are named', () => {
  const { progress, shown } = opened();
  const measurement = createMeasurement(9000);
  progress(reportOf(measurement, -500), '');
  progress({ ...reportOf(measurement, 1000), recordOf: () => sampleLoadRecord() }, '');
  expect(shown.map(({ clock }) => clock)).toEqual(['warm-up', 'trial 5: 1 of 9 s']);
});
