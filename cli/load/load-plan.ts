import { availableParallelism } from 'node:os';
import type { Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import { whyIncomparable } from '../../load/compare/why-incomparable.ts';
import { mostWorkers, wholeLoad } from '../../load/schedule/arrivals.ts';
import { loadProfile } from '../../load/profile/profile-file.ts';
import { type Profile, profileDigest } from '../../load/profile/profile.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { loadTarget } from '../../targets/target-file.ts';
import type { Context } from '../shared/context.ts';
import { readTrials } from './read-trials.ts';
import { forUser } from '../shared/for-user.ts';
import { UserError } from '../shared/user-error.ts';
import type { LoadCommandOptions } from './load-options.ts';

export type LoadPlan = {
  readonly profile: Profile;
  readonly rounds: number;
  readonly workers: number;
  readonly baseline: readonly LoadRecord[] | undefined;
};

/** If trials vary by 2% at p50 and 3% at p95, this many show a change of 15% and of 20% in 95 of 100 comparisons. */
const usualRounds = 8;

/** Plans the run. Rejects with UserError for contradictory options, before anything is sent. */
export async function planLoad(options: LoadCommandOptions, { env }: Context): Promise<LoadPlan> {
  const profile = loadForUser(options.profile, env);
  const { versus, rounds = versus === undefined ? 1 : usualRounds } = options;
  const reason = whyNonsense(profile, rounds, options);
  if (reason !== undefined) throw new UserError(reason);
  const baseline = options.baseline === undefined ? undefined : await readTrials(options.baseline);
  if (baseline !== undefined) refuseBaseline(baseline, profile);
  const wanted = options.workers ?? profile.workers ?? 1;
  const workers = wanted === 'auto' ? Math.min(mostWorkers, availableParallelism()) : wanted;
  return { profile, rounds, workers, baseline };
}

function whyNonsense({ load, workers: own }: Profile, rounds: number, options: LoadCommandOptions): string | undefined {
  const { shard = wholeLoad, gather, seed, versus, baseline, history, workers = own ?? 1 } = options;
  const isPart = shard.of > 1 || gather !== undefined;
  if (workers !== 1) {
    if (load.schedule === undefined) return '--workers divides the schedule of an open load; this profile has none.';
    if (isPart)
      return '--shard divides a load over machines, and workers divide it over threads: choose one, such as --workers 1.';
  }
  if (isPart) {
    if (load.schedule === undefined) return '--shard divides the schedule of an open load; this profile has none.';
    if (seed === undefined) return '--shard needs --seed: all parts must draw the same schedule.';
    if (rounds > 1 || versus !== undefined || baseline !== undefined || history !== undefined)
      return '--shard makes a part of one run: merge the parts first, then awc compare.';
  }
  if (versus !== undefined && baseline !== undefined)
    return '--versus measures the other build now, --baseline uses its saved runs: choose one.';
  if (versus !== undefined && history !== undefined)
    return '--history follows one target over time; leave it out with --versus.';
  if (load.schedule === undefined && (versus !== undefined || baseline !== undefined || history !== undefined))
    return 'only open loads are compared: their latencies count from the scheduled instant, at the same rate for every build.';
  return undefined;
}

function refuseBaseline(baseline: readonly LoadRecord[], profile: Profile): void {
  const reason = whyIncomparable(baseline, baseline);
  if (reason !== undefined) throw new UserError(`--baseline cannot be used. ${reason}`);
  const other = baseline.find((record) => record.profile.digest !== profileDigest(profile));
  if (other === undefined) return;
  throw new UserError(
    `--baseline is from another profile, or from an older version of this one: ${shown(other.profile.name, 60)}, at ${other.startedAt}.`,
  );
}

/** A profile by name or path. Throws UserError with everything that is wrong with it. */
export function loadForUser(name: string, environment: Context['env']): Profile {
  return forUser(() => loadProfile(name, environment));
}

/** A target file by its path. Throws UserError with everything that is wrong with it. */
export function targetForUser(path: string, env: Context['env']): Target {
  return forUser(() => loadTarget(path, env).target);
}
