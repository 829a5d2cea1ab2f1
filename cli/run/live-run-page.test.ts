import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../reports/record/run-event.ts';
import { noWaivers } from '../../reports/record/waivers.ts';
import { suites } from '../../suites/index.ts';
import { checks as samples, sampleRecord } from '../../testing/samples/run-records.ts';
import type { Snapshot } from '../live/snapshot.ts';
import { showRun } from './live-run-page.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const selected = suites.slice(0, 40);

function started(isWatched = true) {
  const shown: Snapshot[] = [];
  const page = { isWatched: () => isWatched, show: (one: Snapshot) => void shown.push(one), close: async () => {} };
  const onEvent = showRun(page, selected, noWaivers);
  const { suite, spec, target, seed, strict, only, startedAt } = sampleRecord();
  const begun = { suite, spec, target, seed, strict, only, startedAt, waivers: [] };
  onEvent({ event: 'start', format: 'awc-events/1', ...begun, checks: selected.map(({ id }) => id) });
  return { onEvent, shown };
}

/** The verdict of a check: failed, with an exchange. */
function verdict(index: number): RunEvent {
  const failed = samples.find((check) => check.verdict === 'failed' && check.exchanges.length > 0);
  const check = selected[index];
  if (failed === undefined || check === undefined) throw new Error('the samples lack something');
  const { id, requirement, operation, level, title } = check;
  return { event: 'verdict', check: { ...failed, id, requirement, operation, level, title }, requests: index };
}

function recordOf(snapshot: Snapshot | undefined) {
  if (snapshot?.kind !== 'run') throw new Error('no run was shown');
  return snapshot.record;
}

test('a watched page gets what is over, about once a second, until the end', () => {
  const { onEvent, shown } = started();
  onEvent(verdict(0));
  vi.advanceTimersByTime(1000);
  onEvent(verdict(1));
  vi.advanceTimersByTime(1000);
  expect(shown.map((snapshot) => recordOf(snapshot).checks.length)).toEqual([1, 2]);
  expect(shown.map(({ clock }) => clock.replace(/,.*/, ''))).toEqual(['1 of 40 checks', '2 of 40 checks']);
  const { result, summary, durationMs, requests, notes, problems, waivers } = sampleRecord();
  onEvent({ event: 'end', result, summary, durationMs, requests, notes, problems, waivers });
  vi.advanceTimersByTime(5000);
  expect(shown).toHaveLength(2);
});

test('only the first thirty findings have their exchanges until the end', () => {
  const { onEvent, shown } = started();
  for (const index of selected.keys()) onEvent(verdict(index));
  vi.advanceTimersByTime(1000);
  const { checks } = recordOf(shown.at(-1));
  expect(checks).toHaveLength(40);
  expect(checks.filter(({ exchanges }) => exchanges.length > 0)).toHaveLength(30);
});

test('nothing is made for a page that is not watched', () => {
  const { onEvent, shown } = started(false);
  onEvent(verdict(0));
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual([]);
});
