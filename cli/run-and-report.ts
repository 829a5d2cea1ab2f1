import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { nearest } from '../reference/nearest.ts';
import { exitCode } from '../reports/exit-code.ts';
import { renderJunit } from '../reports/junit.ts';
import type { RunRecord } from '../reports/record.ts';
import { renderTerminal } from '../reports/terminal.ts';
import { suites } from '../suites/index.ts';
import { type RunPlan, selectChecks } from '../suites/plan.ts';
import { type Context, wantsColor } from './context.ts';
import { deploymentOf } from './deployment-of.ts';
import { lookAt } from './look-at.ts';
import { showProgress } from './progress.ts';
import { runConformance } from './run-conformance.ts';
import { UserError } from './user-error.ts';
import { makeFolder, writeWhole } from './write-whole.ts';

/** What `awc run` can be told. */
export type RunCommandOptions = {
  readonly only: readonly string[];
  readonly seed?: number | undefined;
  readonly strict: boolean;
  readonly allowIncomplete: boolean;
  /** The folder for report.json and junit.xml. */
  readonly out?: string | undefined;
  readonly fault: readonly string[];
  readonly choice: Readonly<Record<string, string>>;
};

/** Judges a deployment, shows and writes the report, and gives the exit code. */
export async function runAndReport(
  path: string | undefined,
  options: RunCommandOptions,
  context: Context,
): Promise<number> {
  const plan = planOf(path, options);
  const selected = selectChecks(suites, plan.only);
  for (const pattern of plan.only) if (selectChecks(suites, [pattern]).length === 0) throw noSuchCheck(pattern);
  if (options.out !== undefined) await makeFolder(options.out);

  const { target, notes, diagnosis } = await lookAt(plan);
  if (diagnosis.unusable !== undefined) throw new UserError(diagnosis.unusable, 3);
  const progress = showProgress(
    context.err,
    selected.map(({ id }) => id),
  );
  const { onCheck } = progress;
  const record = await runConformance({ plan, target, notes, requestsBefore: diagnosis.requests, onCheck });
  progress.end();
  if (options.out !== undefined) await writeReports(options.out, record);
  context.out.write(renderTerminal(record, { color: wantsColor(context.out) }));
  return exitCode(record, options.allowIncomplete);
}

/** The embedded reference is deterministic, so it gets the same seed every time; other deployments get new values. */
function planOf(path: string | undefined, { seed, strict, only, fault, choice }: RunCommandOptions): RunPlan {
  const deployment = deploymentOf(path, fault, choice);
  return { deployment, seed: seed ?? (path === undefined ? 1 : randomInt(2 ** 32)), strict, only, preflight: false };
}

function noSuchCheck(pattern: string): UserError {
  const ids = new Set(suites.flatMap(({ id, requirement }) => [requirement, id]));
  const near = nearest(pattern.slice(0, 100), [...ids]);
  return new UserError(`no check fits --only ${pattern}. The nearest: ${near.join(', ')}.`);
}

async function writeReports(folder: string, record: RunRecord): Promise<void> {
  await writeWhole(join(folder, 'report.json'), `${JSON.stringify(record, null, 2)}\n`);
  await writeWhole(join(folder, 'junit.xml'), renderJunit(record));
}
