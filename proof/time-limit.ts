import { choices as axes } from '../reference/choices/choices.ts';
import type { Job, JobResult } from './jobs.ts';
import type { TimedTrial, Trial } from './trial.ts';

/** A timed trial, with the time that it may take. */
export type LimitedTrial = TimedTrial & { readonly limit: number };

/** A run may take this many times as long as a conformant one, and this many seconds more. */
const times = 2;
const spareSeconds = 30;

/** A limit on a wall clock that was moved back is waited for so many seconds. Whether a run meets it depends on the instant. */
const heldBackSeconds = 120;

/** The axes whose choices make a conformant run long. */
const paceAxes: ReadonlySet<string> = new Set([
  'assistant',
  'held-until',
  'pace',
  'gateway',
  // Lists and counts that lag are waited for.
  'deleted-sources',
  'count-copies',
  'entry-points',
  // A limit that follows the wall clock lasts longer once the clock was moved back.
  'clock',
  ...axes.map(({ axis }) => axis).filter((axis) => axis.startsWith('rate-') || axis.startsWith('retry-after-')),
]);

/**
 * The time that each trial may take: a conformant run is one that makes the same choices about pace, lags and rate limits, and
 * no other. It is timed only for a trial that is longer than a run without any choices may take.
 */
export async function limited(
  timed: readonly TimedTrial[],
  doAll: (jobs: readonly Job[]) => Promise<readonly JobResult[]>,
): Promise<readonly LimitedTrial[]> {
  const seed = timed[0]?.trial.seed ?? 0;
  const forecast = async (choices: readonly Trial['choices'][]): Promise<readonly number[]> => {
    const results = await doAll(choices.map((some) => ({ kind: 'time', trial: { seed, faults: [], choices: some } })));
    return results.flatMap((result) => (result.kind === 'time' ? limitOf(result.seconds) : []));
  };
  const [plain = 0] = await forecast([{}]);
  const long = timed.filter(({ seconds }) => seconds > plain);
  const paces = new Map(long.map(({ trial }) => [paceOf(trial), onlyPace(trial)]));
  const forecasts = await forecast([...paces.values()]);
  const limits = new Map([...paces.keys()].map((pace, index) => [pace, Math.max(plain, forecasts[index] ?? 0)]));
  return timed.map(({ trial, seconds }) => ({
    trial,
    seconds,
    limit: seconds > plain ? (limits.get(paceOf(trial)) ?? plain) + heldBack(trial) : plain,
  }));
}

function limitOf(forecastSeconds: number): number {
  return times * forecastSeconds + spareSeconds;
}

function heldBack({ choices }: Trial): number {
  return choices['clock'] === 'wall' ? heldBackSeconds : 0;
}

function onlyPace({ choices }: Trial): Trial['choices'] {
  return Object.fromEntries(
    Object.entries(choices)
      .filter(([axis]) => paceAxes.has(axis))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function paceOf(trial: Trial): string {
  return JSON.stringify(onlyPace(trial));
}

/** Trials that took longer than they may. */
export function tooLong(all: readonly LimitedTrial[]): readonly LimitedTrial[] {
  return all.filter(({ seconds, limit }) => seconds > limit);
}

/** The trials that come closest to their limits, or exceed them most. */
export function slowest(all: readonly LimitedTrial[], count: number): readonly LimitedTrial[] {
  return all.toSorted((one, other) => other.seconds / other.limit - one.seconds / one.limit).slice(0, count);
}
