import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { exitCode } from '../../reports/exit-code.ts';
import { renderJunit } from '../../reports/junit.ts';
import { nearest } from '../../reference/nearest.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import type { RunRecord } from '../../reports/record.ts';
import { suites } from '../../suites/index.ts';
import { type RunPlan, selectChecks } from '../../suites/plan.ts';
import { type Context, wantsColor } from '../context.ts';
import { keyValue, repeated, wholeNumber } from '../option-values.ts';
import { embeddedReference } from '../embedded-reference.ts';
import { lookAt } from '../look-at.ts';
import { showProgress } from '../progress.ts';
import { runConformance } from '../run-conformance.ts';
import { UserError } from '../user-error.ts';
import { makeFolder, writeWhole } from '../write-whole.ts';

const optionsSchema = z.object({
  only: z.array(z.string()).default([]),
  seed: z.int().optional(),
  strict: z.boolean().default(false),
  allowIncomplete: z.boolean().default(false),
  out: z.string().optional(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
});

type RunCommandOptions = z.infer<typeof optionsSchema>;

/** `awc run`: the suite on a deployment, to a report and an exit code. */
export function configureRun(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference is judged')
    .option('--only <glob>', 'run only checks whose id, or requirement, fits; may be repeated', repeated)
    .option('--seed <n>', 'draw the same random values as a run with that seed', wholeNumber(0, 2 ** 32 - 1))
    .option('--strict', 'count a violated should as failed')
    .option('--allow-incomplete', 'exit with 0 although musts were not exercised')
    .option('--out <dir>', 'write report.json and junit.xml there')
    .option('--fault <name>', 'embedded reference only: build that fault in; may be repeated', repeated)
    .option('--choice <key=value>', 'embedded reference only: decide that otherwise; may be repeated', keyValue)
    .action(async (target: string | undefined) => {
      const options = optionsSchema.parse(command.opts());
      context.end(await run(target, options, context));
    });
}

async function run(path: string | undefined, options: RunCommandOptions, context: Context): Promise<number> {
  const plan = planOf(path, options);
  const selected = selectChecks(suites, plan.only);
  if (selected.length === 0) throw noSuchCheck(plan.only);
  if (options.out !== undefined) await makeFolder(options.out);

  const { target, notes, requests } = await lookAt(plan);
  const progress = showProgress(
    context.err,
    selected.map(({ id }) => id),
  );
  const { onCheck } = progress;
  const record = await runConformance({ plan, target, notes, requestsBefore: requests, onCheck });
  progress.end();
  if (options.out !== undefined) await writeReports(options.out, record);
  context.out.write(renderTerminal(record, { color: wantsColor(context.out) }));
  return exitCode(record, options.allowIncomplete);
}

function planOf(path: string | undefined, { seed, strict, only, fault, choice }: RunCommandOptions): RunPlan {
  const common = { strict, only };
  if (path === undefined) {
    const deployment = embeddedReference(fault, choice);
    return { ...common, deployment, seed: seed ?? 1 };
  }
  if (fault.length > 0 || Object.keys(choice).length > 0) {
    throw new UserError('--fault and --choice change the embedded reference: leave the target file out.');
  }
  return { ...common, deployment: { kind: 'file', path }, seed: seed ?? randomInt(2 ** 32) };
}

function noSuchCheck(only: readonly string[]): UserError {
  const pattern = only[0] ?? '';
  const near = nearest(
    pattern,
    suites.map(({ id }) => id),
  );
  return new UserError(`no check fits --only ${only.join(' --only ')}. The nearest: ${near.join(', ')}.`);
}

async function writeReports(folder: string, record: RunRecord): Promise<void> {
  await writeWhole(join(folder, 'report.json'), `${JSON.stringify(record, null, 2)}\n`);
  await writeWhole(join(folder, 'junit.xml'), renderJunit(record));
}
