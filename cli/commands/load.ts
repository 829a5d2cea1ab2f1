import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { addComparisonOptions, comparisonOptionsSchema } from '../load/comparison-options.ts';
import type { Context } from '../shared/context.ts';
import { keyValue, repeated, wholeNumber } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';

const shardSchema = z.object({ index: z.int(), of: z.int() });

const optionsSchema = comparisonOptionsSchema.extend({
  profile: z.string(),
  seed: z.int().optional(),
  shard: shardSchema.default({ index: 1, of: 1 }),
  startAt: z.number().optional(),
  calibrate: z.boolean().default(false),
  out: z.string().optional(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
  rounds: z.int().optional(),
  baseline: z.string().optional(),
  versus: z.string().optional(),
  history: z.string().optional(),
  build: z.string().default(''),
});

const longestBuild = 200;

const exitCodes = `
Exit codes: 0 thresholds held, and no worse; 1 a threshold missed, a promise broken, or worse; 2 usage;
3 target unreachable; 4 no verdict; 130 interrupted.`;

const exportFormats = ['k6', 'artillery'] as const;
const exportSchema = z.object({ profile: z.string(), format: z.enum(exportFormats) });
const outSchema = z.object({ out: z.string().optional() });

/** `awc load`: a load profile on a deployment, to a record and an exit code. */
export function configureLoad(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference in a process of its own')
    .option('--profile <name|file>', 'a shipped profile, or a file', 'smoke')
    .option('--seed <n>', 'draw the same schedule and inputs as a run with that seed', wholeNumber(0, 2 ** 32 - 1))
    .option('--shard <i/n>', 'send every n-th request of the schedule only, from the i-th', shard)
    .option('--start-at <time>', 'begin then: a date-time, or seconds since the epoch', instant)
    .option('--calibrate', 'send nothing to the target: show what the engines make of targets whose law is known')
    .option('--out <dir>', 'keep load.json there; in a folder for each run, where there are several')
    .option('--fault <name>', 'embedded reference only: build that fault in; may be repeated', repeated)
    .option('--choice <key=value>', 'embedded reference only: decide that otherwise; may be repeated', keyValue)
    .option('--rounds <n>', 'run it so often: 8 with --versus, else 1', wholeNumber(1, 500))
    .option('--baseline <path>', 'compare with the build before: its load.json, or a folder of several runs')
    .option('--versus <target>', 'compare with another deployment, measured by turns with this one');
  addComparisonOptions(command)
    .option('--history <file>', 'add the run to that file, and show the trend')
    .option('--build <name>', 'how the history calls this build', buildName)
    .addHelpText('after', exitCodes)
    .action(async (target: string | undefined) => {
      const options = optionsSchema.parse(command.opts());
      refuseIdle(command, options);
      if (options.calibrate) {
        const { calibrateAndReport } = await import('../load/calibrate-and-report.ts');
        context.end(await calibrateAndReport(options.seed ?? 1, context));
        return;
      }
      const { loadAndReport } = await import('../load/load-and-report.ts');
      context.end(await loadAndReport(target, options, context));
    });
  const merge = command
    .command('merge')
    .description('the records of the shards of one run, as one')
    .argument('<dir...>', 'folders with a load.json each')
    .option('--out <dir>', 'write load.json there')
    .action(async (folders: readonly string[]) => {
      refuseAllBut(command, merge, ['out']);
      // Both commands have this option, and the outer one takes it wherever it stands.
      const { out } = outSchema.parse(merge.optsWithGlobals());
      const { mergeAndReport } = await import('../load/merge-and-report.ts');
      context.end(await mergeAndReport(folders, out, context));
    });
  addExport(command, context);
}

/** Options that ask for a verdict which nothing else asks for would be passed over in silence, and look like a green one. */
function refuseIdle(command: Command, { baseline, versus, history }: z.infer<typeof optionsSchema>): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  const judging = ['margin', 'require'].find(isGiven);
  if (judging !== undefined && (baseline ?? versus) === undefined)
    throw new UserError(`--${judging} judges a comparison: add --baseline or --versus, or leave it out.`);
  if (isGiven('build') && history === undefined)
    throw new UserError('--build names a run in a history: add --history, or leave it out.');
}

/** Beside merge, because it reads what its outer command reads. */
function addExport(outer: Command, context: Context): void {
  const command = outer
    .command('export')
    .description('a profile on a target as a script for another engine; nothing is sent')
    .argument('<target>', 'the target file')
    .addOption(new Option('--format <engine>', 'for which').choices([...exportFormats]).makeOptionMandatory())
    .action(async (target: string) => {
      refuseAllBut(outer, command, ['profile']);
      const { profile, format } = exportSchema.parse(command.optsWithGlobals());
      const { exportLoad } = await import('../load/export-load.ts');
      exportLoad(target, profile, format, context);
      context.end(0);
    });
}

/** An outer command takes its options wherever they stand, those too that its inner command has no use for. */
function refuseAllBut(outer: Command, inner: Command, used: readonly string[]): void {
  const idle = outer.options.find((option) => {
    const name = option.attributeName();
    return outer.getOptionValueSource(name) === 'cli' && !used.includes(name);
  });
  if (idle !== undefined) throw new UserError(`awc load ${inner.name()} has no use for ${idle.long}: leave it out.`);
}

function buildName(text: string): string {
  if (text.length <= longestBuild) return text;
  throw new InvalidArgumentError(`It may have ${longestBuild} characters.`);
}

function shard(text: string): z.infer<typeof shardSchema> {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { index, of };
  throw new InvalidArgumentError('It must be I/N, such as 2/4, with I from 1 to N.');
}

/** Milliseconds since the epoch. */
function instant(text: string): number {
  const ms = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a date-time such as 2026-12-01T12:00:00Z, or seconds since the epoch.');
}
