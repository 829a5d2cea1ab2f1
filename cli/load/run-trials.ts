import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shown } from '../../core/text.ts';
import type { RateCap } from '../../load/engine/rate-cap.ts';
import type { JoinedLoad } from '../../load/gather/join-load.ts';
import type { ProgressReport } from '../../load/measure/report-progress.ts';
import { runInWorkers } from '../../load/workers/run-in-workers.ts';
import type { Shard } from '../../load/schedule/arrivals.ts';
import { type Profile, profileDigest } from '../../load/profile/profile.ts';
import type { Registration } from '../../load/gather/protocol.ts';
import type { Target } from '../../core/target.ts';
import { identity } from '../../reports/record/identity.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { renderLoadHtml } from '../../reports/load/page/html.ts';
import { safeJsonLine } from '../../reports/text/safe-json.ts';
import type { Context } from '../shared/context.ts';
import { type LoadsShown } from './live-load-page.ts';
import { showLoadProgress } from './load-progress.ts';
import type { OpenedTarget } from './open-load-target.ts';
import type { RateCaps } from './rate-caps.ts';
import { whileInterruptible } from '../shared/on-interruption.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

/** Of a part without a coordinator. The records cannot show how far apart clocks are. */
const unknownClocks =
  'The clocks of the parts were not compared: if they differ by seconds, the starts of the parts differ from what their records say. Only awc load gather compares clocks.';

/** One of the builds that are measured. */
export type Side = {
  readonly name: string;
  readonly opened: OpenedTarget;
  /** Where its records go: the folder itself for a single run, a folder in it for each of several. */
  readonly out: string | undefined;
};

export type TrialPlan = {
  readonly profile: Profile;
  readonly rounds: number;
  readonly seed: number;
  readonly shard: Shard;
  readonly workers: number;
  readonly startAt: number | undefined;
  readonly rateCaps: RateCaps;
  /** The load that this one is a part of, if a coordinator leads it. */
  readonly joined: JoinedLoad | undefined;
  /** What shows the loads while they run. */
  readonly watchers: readonly LoadsShown[];
  /** Whether each record gets its page, load.html. */
  readonly hasPage: boolean;
};

/**
 * Runs a profile on each side, round by round: A B, B A, A B, …, so that changes of the machine affect both alike. Within
 * a round all sides get the same schedule. An interruption ends it early with the records so far.
 */
export async function runTrials(
  sides: readonly Side[],
  plan: TrialPlan,
  context: Context,
): Promise<ReadonlyMap<Side, readonly LoadRecord[]>> {
  const records = new Map(sides.map((side): [Side, LoadRecord[]] => [side, []]));
  await whileInterruptible(async (interruption) => {
    for (const [index, { side, round }] of order(sides, plan.rounds).entries()) {
      if (interruption.aborted) break;
      const runs = sides.length * plan.rounds;
      const name = runs === 1 ? '' : `run ${index + 1} of ${runs}: `;
      const trial = { ...side, rateCap: plan.rateCaps(side.opened.target), maxPerSecond: limitOf(side, sides), name };
      const record = await runTrial(trial, round, plan, interruption, context);
      records.get(side)?.push(record);
      if (runs > 1)
        context.out.write(`${sides.length > 1 ? `${side.name} ` : ''}${round + 1}: ${shown(record.sentence, 500)}\n`);
    }
  });
  return records;
}

function order(sides: readonly Side[], rounds: number): readonly { readonly side: Side; readonly round: number }[] {
  return Array.from({ length: rounds }, (_, round) =>
    (round % 2 === 0 ? sides : sides.toReversed()).map((side) => ({ side, round })),
  ).flat();
}

/** The limit of all runs on a deployment. */
function limitOf(side: Side, sides: readonly Side[]): number {
  const targets = sides.map(({ opened: { target } }) => target);
  const own = targets.filter(({ baseUrl }) => baseUrl === side.opened.target.baseUrl);
  return Math.min(...own.map(({ limits }) => limits.maxRequestsPerSecond));
}

async function runTrial(
  { opened, out, rateCap, maxPerSecond, name }: Side & { readonly rateCap: RateCap; readonly maxPerSecond: number },
  round: number,
  { profile, rounds, seed, shard, workers, startAt, joined, watchers, hasPage }: TrialPlan,
  interruption: AbortSignal,
  { err }: Context,
): Promise<LoadRecord> {
  const { target, isEmbedded, notes } = opened;
  // What was sent before must not take the place of the first requests, which would be dropped.
  await sleep(rateCap.idleInMs(), undefined, { signal: interruption }).catch(() => {});
  const start = await joined?.meet(registrationOf(profile, target, { seed, of: shard.of }), interruption);
  const progress = showLoadProgress(err, shown(profile.name, 60));
  const options = {
    target,
    isEmbedded,
    seed: (seed + round) >>> 0,
    shard,
    rateCap,
    startAt: start?.startAt ?? (round === 0 ? startAt : undefined),
    signal: joined === undefined ? interruption : AbortSignal.any([interruption, joined.stop]),
    isWatched: () => watchers.some((watcher) => watcher.isWatched()),
    onProgress(report: ProgressReport) {
      progress.report(report);
      for (const watcher of watchers) watcher.progress(report, name);
    },
  };
  const record =
    workers === 1
      ? await profile.load.run(profile, options)
      : await runInWorkers(profile, options, { workers, maxPerSecond });
  progress.end();
  const shards = { ...record.shards, ...(start && { clock: start.clock }) };
  const isAlone = shard.of > 1 && joined === undefined;
  const noted = { ...record, shards, notes: [...notes, ...(isAlone ? [unknownClocks] : []), ...record.notes] };
  for (const watcher of watchers) watcher.over(noted, name);
  if (out !== undefined) {
    const folder = rounds === 1 ? out : join(out, String(round + 1).padStart(2, '0'));
    await makeFolder(folder);
    await writeWhole(join(folder, 'load.json'), safeJsonLine(noted));
    if (hasPage) await writeWhole(join(folder, 'load.html'), renderLoadHtml(noted));
  }
  await joined?.handOver(noted);
  return noted;
}

/** The settings that must be the same in all parts, and how long the part takes. */
function registrationOf(
  profile: Profile,
  { baseUrl }: Target,
  { seed, of }: { readonly seed: number; readonly of: number },
): Registration {
  const { name, load, warmUpMs, timeoutMs } = profile;
  const longestMs = (load.plannedMs ?? 0) + load.besideMs + timeoutMs;
  return {
    suite: identity().suite.version,
    of,
    seed,
    profile: { name, digest: profileDigest(profile) },
    target: baseUrl,
    warmUpMs,
    longestMs,
  };
}
