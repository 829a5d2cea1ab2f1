import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Target } from '../harness/target.ts';
import type { Shard } from '../load/arrivals.ts';
import { renderCapacity } from '../load/capacity/render-capacity.ts';
import { runProfile } from '../load/run-profile.ts';
import { loadProfile } from '../profiles/profile-file.ts';
import type { Profile } from '../profiles/profile.ts';
import { loadExitCode } from '../reports/load-exit-code.ts';
import { renderLoadTerminal } from '../reports/load-terminal.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { announcement, refuseUnlessAllowed } from './announce-load.ts';
import { type Context, wantsColor } from './context.ts';
import { deploymentOf } from './deployment-of.ts';
import { startEmbedded } from './embedded-target.ts';
import { showLoadProgress } from './load-progress.ts';
import { lookAt } from './look-at.ts';
import { UserError } from './user-error.ts';
import { makeFolder, writeWhole } from './write-whole.ts';

/** What `awc load` can be told. */
export type LoadCommandOptions = {
  readonly profile: string;
  readonly seed?: number | undefined;
  readonly shard: Shard;
  readonly startAt?: number | undefined;
  /** The folder for load.json. */
  readonly out?: string | undefined;
  readonly fault: readonly string[];
  readonly choice: Readonly<Record<string, string>>;
};

/** Puts a load on a deployment, shows and writes the record, and gives the exit code. */
export async function loadAndReport(
  path: string | undefined,
  options: LoadCommandOptions,
  context: Context,
): Promise<number> {
  const profile = loadForUser(options.profile, context.env);
  const { shard } = options;
  if (shard.of > 1 && profile.load.kind !== 'open')
    throw new UserError('--shard divides the schedule of an open load; this profile has none.');
  if (shard.of > 1 && options.seed === undefined)
    throw new UserError('--shard needs --seed: all parts must draw the same schedule.');
  if (options.out !== undefined) await makeFolder(options.out);
  const seed = options.seed ?? randomInt(2 ** 32);
  const { target, notes, close } = await openTarget(path, profile, seed, options);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const progress = showLoadProgress(context.err);
  try {
    refuseUnlessAllowed(profile, target);
    context.err.write(`${announcement(profile, target, shard)}\n`);
    const record = await runProfile(profile, {
      target,
      isEmbedded: path === undefined,
      seed,
      shard,
      startAt: options.startAt,
      signal: interruption.signal,
      onProgress: progress.tell,
    });
    progress.end();
    const noted = { ...record, notes: [...notes, ...record.notes] };
    if (options.out !== undefined) await writeWhole(join(options.out, 'load.json'), `${JSON.stringify(noted)}\n`);
    const { capacity } = noted;
    if (capacity !== undefined) context.out.write(`${renderCapacity(capacity.result, capacity.trials).join('\n')}\n\n`);
    context.out.write(renderLoadTerminal(noted, { color: wantsColor(context.out) }));
    return loadExitCode(noted);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await close();
  }
}

function loadForUser(name: string, environment: Context['env']): Profile {
  try {
    return loadProfile(name, environment);
  } catch (error) {
    throw error instanceof TargetFileError ? new UserError(error.message) : error;
  }
}

type Opened = { readonly target: Target; readonly notes: readonly string[]; readonly close: () => Promise<void> };

/** The reference has a quota of its own, which would be all that a load ever met; only its profile wants to meet it. */
async function openTarget(
  path: string | undefined,
  profile: Profile,
  seed: number,
  { fault, choice }: LoadCommandOptions,
): Promise<Opened> {
  if (path === undefined) {
    const choices = profile.load.kind === 'rateLimit' ? choice : { 'rate-quota': 'none', ...choice };
    return { notes: [], ...(await startEmbedded({ seed: 1, faults: fault, choices })) };
  }
  const { target, notes, diagnosis } = await lookAt({ deployment: deploymentOf(path, fault, choice), seed });
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  return { target, notes, close: async () => {} };
}
