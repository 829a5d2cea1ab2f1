import { noWaivers } from '../../reports/record/waivers.ts';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { diffRecords } from '../../reports/record/diff.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { renderDiff } from '../../reports/run/diff-terminal.ts';
import { loadTarget } from '../../targets/target-file.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { judgeIntoFolder, mustFit } from '../run/judge-deployment.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { type OptionsOf, repeated, wholeNumber } from '../shared/option-values.ts';
import { readRecord } from '../shared/read-record.ts';
import { forUser } from '../shared/for-user.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder } from '../shared/write-whole.ts';

/** `awc diff A B`: compares two reports, or two deployments that it judges first. */
export function configure(command: Command, context: Context): void {
  addDiffOptions(command).action(async (first, second, options) => {
    context.end(await diffAndReport([first, second], options, context));
  });
}

function addDiffOptions(command: Command) {
  return command
    .argument('<a>', 'a report.json, or a target file (ending in .yaml), whose deployment is judged first')
    .argument('<b>', 'the same, for the later run or the other deployment')
    .option('--only <glob>', 'for target files, as in awc run; repeatable', repeated)
    .option('--seed <n>', 'for target files, as in awc run', wholeNumber(0, 2 ** 32 - 1))
    .option('--out <dir>', 'for target files: write their reports to a and b in this folder');
}

type Options = OptionsOf<typeof addDiffOptions>;

type Side =
  | { readonly kind: 'report'; readonly record: RunRecord }
  | { readonly kind: 'target'; readonly path: string };

/** Returns the exit code: 1 if B is worse anywhere. */
async function diffAndReport(
  paths: readonly [a: string, b: string],
  options: Options,
  context: Context,
): Promise<number> {
  mustFit(options.only ?? []);
  const sides = [await sideOf(paths[0], context), await sideOf(paths[1], context)] as const;
  if (sides.every(({ kind }) => kind === 'report')) mustBeIdle(options);
  const seed = options.seed ?? randomInt(2 ** 32); // one for both, so that both get the same requests
  const before = await recordOf(sides[0], 'a', { ...options, seed }, context);
  if (before.result === 'interrupted' && sides[0].kind === 'target') return 130;
  const after = await recordOf(sides[1], 'b', { ...options, seed }, context);
  if (after.result === 'interrupted' && sides[1].kind === 'target') return 130;

  const diff = diffRecords(before, after);
  if (diff.same + diff.changes.length === 0) throw new UserError('the two reports have no check in common.');
  context.out.write(renderDiff(diff, [before, after], { color: wantsColor(context.out) }));
  return diff.changes.some(({ kind }) => kind === 'worse') ? 1 : 0;
}

/** Reads the files of both sides first, so that a mistake in the second shows before anything is sent to the first. */
async function sideOf(path: string, { env }: Context): Promise<Side> {
  if (!/\.ya?ml$/i.test(path)) return { kind: 'report', record: await readRecord(path) };
  forUser(() => loadTarget(path, env));
  return { kind: 'target', path };
}

function mustBeIdle({ only, seed, out }: Options): void {
  if (only === undefined && seed === undefined && out === undefined) return;
  throw new UserError('--only, --seed and --out need a target file, which ends in .yaml.');
}

async function recordOf(side: Side, name: 'a' | 'b', options: Options, context: Context): Promise<RunRecord> {
  if (side.kind === 'report') return side.record;
  const { only = [], seed, out } = options;
  const folder = out === undefined ? undefined : join(out, name);
  if (folder !== undefined) await makeFolder(folder);
  context.err.write(`${name.toUpperCase()}: ${side.path}\n`);
  const judging = { only, seed, strict: false, waivers: noWaivers, onEvent: () => undefined };
  return judgeIntoFolder(deploymentOf(side.path), folder, judging, context);
}
