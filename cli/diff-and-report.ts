import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { diffRecords } from '../reports/record/diff.ts';
import { renderDiff } from '../reports/run/diff-terminal.ts';
import type { RunRecord } from '../reports/record/record.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { loadTarget } from '../targets/target-file.ts';
import { type Context, wantsColor } from './shared/context.ts';
import { deploymentOf } from './run/deployment-of.ts';
import { mustFit } from './run/judge-deployment.ts';
import { judgeIntoFolder } from './run/judge-into-folder.ts';
import { readRecord } from './shared/read-record.ts';
import { UserError } from './shared/user-error.ts';
import { makeFolder } from './shared/write-whole.ts';

/** What `awc diff` can be told of the deployments that it judges. */
export type DiffOptions = {
  readonly only: readonly string[];
  readonly seed?: number | undefined;
  /** The folder for the reports of what was judged, in `a` and `b`. */
  readonly out?: string | undefined;
};

/** Where the record of one side comes from. */
type Side =
  { readonly kind: 'report'; readonly record: RunRecord } | { readonly kind: 'target'; readonly path: string };

/** Compares two reports, or deployments that it judges first, and gives the exit code: 1 when B is worse anywhere. */
export async function diffAndReport(
  paths: readonly [a: string, b: string],
  options: DiffOptions,
  context: Context,
): Promise<number> {
  mustFit(options.only);
  const sides = [await sideOf(paths[0], context), await sideOf(paths[1], context)] as const;
  if (sides.every(({ kind }) => kind === 'report')) mustBeIdle(options);
  const seed = options.seed ?? randomInt(2 ** 32); // one for both, so that they are asked the same
  const before = await recordOf(sides[0], 'a', { ...options, seed }, context);
  if (before.result === 'interrupted' && sides[0].kind === 'target') return 130;
  const after = await recordOf(sides[1], 'b', { ...options, seed }, context);
  if (after.result === 'interrupted' && sides[1].kind === 'target') return 130;

  const diff = diffRecords(before, after);
  if (diff.same + diff.changes.length === 0) throw new UserError('the two have no check in common.');
  context.out.write(renderDiff(diff, [before, after], { color: wantsColor(context.out) }));
  return diff.changes.some(({ kind }) => kind === 'worse') ? 1 : 0;
}

/** Reads what there is to read, so that a mistake in the second is known before the first is sent anything. */
async function sideOf(path: string, { env }: Context): Promise<Side> {
  if (!/\.ya?ml$/i.test(path)) return { kind: 'report', record: await readRecord(path) };
  try {
    loadTarget(path, env);
  } catch (error) {
    if (error instanceof TargetFileError) throw new UserError(error.message);
    throw error;
  }
  return { kind: 'target', path };
}

function mustBeIdle({ only, seed, out }: DiffOptions): void {
  if (only.length === 0 && seed === undefined && out === undefined) return;
  throw new UserError(
    '--only, --seed and --out are for deployments that are judged: name a target file, ending in .yaml.',
  );
}

async function recordOf(side: Side, name: 'a' | 'b', options: DiffOptions, context: Context): Promise<RunRecord> {
  if (side.kind === 'report') return side.record;
  const { only, seed, out } = options;
  const folder = out === undefined ? undefined : join(out, name);
  if (folder !== undefined) await makeFolder(folder);
  context.err.write(`${name.toUpperCase()}: ${side.path}\n`);
  const judging = { only, seed, strict: false, waivers: [], onEvent: () => undefined };
  return judgeIntoFolder(deploymentOf(side.path), folder, judging, context);
}
