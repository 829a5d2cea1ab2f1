import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { plannedMs } from '../profiles/profile.ts';
import type { LoadRecord } from '../reports/load-record.ts';
import { announcement, refuseUnlessAllowed } from './announce-load.ts';
import type { Context } from './context.ts';
import { type OpenHistory, openHistory } from './load-history.ts';
import { type LoadCommandOptions, type LoadPlan, planLoad } from './load-plan.ts';
import { type OpenedTarget, openLoadTarget } from './open-load-target.ts';
import { reportTrials } from './report-trials.ts';
import { runTrials, type Side } from './run-trials.ts';
import { makeFolder } from './write-whole.ts';

/** Puts a load on one deployment, or on two by turns, shows and writes what came of it, and gives the exit code. */
export async function loadAndReport(
  path: string | undefined,
  options: LoadCommandOptions,
  context: Context,
): Promise<number> {
  const plan = await planLoad(options, context);
  const history = options.history === undefined ? undefined : await openHistory(options.history, context);
  if (options.out !== undefined) await makeFolder(options.out);
  const seed = options.seed ?? randomInt(2 ** 32);
  const opened: OpenedTarget[] = [];
  async function open(file: string | undefined, changes: Pick<LoadCommandOptions, 'fault' | 'choice'>) {
    const found = await openLoadTarget(plan.profile, { path: file, seed, ...changes });
    opened.push(found);
    refuseUnlessAllowed(plan.profile, found.target);
    return found;
  }
  try {
    const target = await open(path, options);
    const other = options.versus === undefined ? undefined : await open(options.versus, { fault: [], choice: {} });
    const { a, b } = await measure({ target, other }, { ...options, seed }, plan, context);
    return await conclude({ a: other === undefined ? plan.baseline : a, b }, options, history, context);
  } finally {
    for (const { close } of opened) await close();
  }
}

type Opened = { readonly target: OpenedTarget; readonly other: OpenedTarget | undefined };
type Measured = { readonly a: readonly LoadRecord[]; readonly b: readonly LoadRecord[] };

async function measure(
  { target, other }: Opened,
  options: LoadCommandOptions & { readonly seed: number },
  { profile, rounds }: LoadPlan,
  context: Context,
): Promise<Measured> {
  const { out, shard, startAt, seed } = options;
  const within = (folder: string) => (out === undefined ? undefined : join(out, folder));
  const b: Side = { name: 'B', opened: target, out: other === undefined ? out : within('b') };
  const a: Side | undefined = other === undefined ? undefined : { name: 'A', opened: other, out: within('a') };
  const sides = a === undefined ? [b] : [a, b];
  for (const side of sides) {
    const name = a === undefined ? '' : `${side.name}: `;
    context.err.write(`${name}${announcement(profile, side.opened.target, shard)}\n`);
  }
  const runs = rounds * sides.length;
  if (runs > 1) {
    const minutes = (runs * ((plannedMs(profile.load) ?? 0) + profile.warmUpMs)) / 60_000;
    context.err.write(`${runs} runs${a === undefined ? '' : ', by turns'}, about ${minutes.toFixed(1)} minutes.\n`);
  }
  const records = await runTrials(sides, { profile, rounds, seed, shard, startAt }, context);
  return { a: a === undefined ? [] : (records.get(a) ?? []), b: records.get(b) ?? [] };
}

/** The history learns of a run after it was judged, or the run would be a part of what it is judged by. */
async function conclude(
  { a, b }: { readonly a: readonly LoadRecord[] | undefined; readonly b: readonly LoadRecord[] },
  options: LoadCommandOptions,
  history: OpenHistory | undefined,
  context: Context,
): Promise<number> {
  const isByTurns = options.versus !== undefined;
  const code = reportTrials({ a, b, isByTurns, runToRun: history?.runToRun(b) }, options, context);
  await history?.append(b, options.build);
  return code;
}
