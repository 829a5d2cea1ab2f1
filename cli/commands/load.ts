import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { addComparisonOptions, comparisonOptionsSchema } from '../load/comparison-options.ts';
import {
  addKubernetesOptions,
  kubernetesOptions,
  kubernetesOptionsSchema,
} from '../load/kubernetes/kubernetes-options.ts';
import { mostWorkers } from '../../load/schedule/arrivals.ts';
import type { Context } from '../shared/context.ts';
import { buildName, keyValue, livePortOption, repeated, wholeNumber } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';

const shardSchema = z.object({ index: z.int(), of: z.int() });

const optionsSchema = comparisonOptionsSchema.extend(kubernetesOptionsSchema.shape).extend({
  profile: z.string(),
  seed: z.int().optional(),
  shard: shardSchema.default({ index: 1, of: 1 }),
  workers: z.union([z.int(), z.literal('auto')]).optional(),
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
  live: z.int().optional(),
});

const exitCodes = `
Exit codes: 0 thresholds passed and no worse; 1 a threshold failed, a requirement violated, or worse;
2 usage error; 3 target unreachable; 4 no verdict; 130 interrupted.`;

const exportFormats = ['k6', 'artillery'] as const;
const exportSchema = z.object({ profile: z.string(), format: z.enum(exportFormats) });
const outSchema = z.object({ out: z.string().optional() });

/** `awc load`: a load profile on a deployment, to a record and an exit code. */
export function configure(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference in its own process')
    .option('--profile <name|file>', 'the name of a shipped profile, or a profile file', 'smoke')
    .option('--seed <n>', 'reuse the schedule and inputs of an earlier run', wholeNumber(0, 2 ** 32 - 1))
    .option('--shard <i/n>', 'send only every n-th request of the schedule, starting with the i-th', shard)
    .option('--workers <n|auto>', 'spread an open load over threads; auto takes one for each core', workers)
    .option('--start-at <time>', 'when to start: a date-time, or seconds since the epoch', instant)
    .option('--calibrate', 'measure local servers with a known latency model instead of the target')
    .option(
      '--out <dir>',
      'write load.json, and comparison.json if builds are compared, to this folder; several runs get a folder each',
    )
    .option('--fault <name>', 'embedded reference only: add this fault; repeatable', repeated)
    .option('--choice <key=value>', 'embedded reference only: set this choice; repeatable', keyValue)
    .addOption(livePortOption())
    .option('--rounds <n>', 'number of runs (default: 8 with --versus, otherwise 1)', wholeNumber(1, 500))
    .option('--baseline <path>', 'compare with an earlier build: its load.json, or a folder of several runs')
    .option('--versus <target>', 'compare with another deployment, measured alternately with this one');
  addComparisonOptions(command);
  addKubernetesOptions(command)
    .option('--history <file>', 'add the run to this file and show the trend')
    .option('--build <name>', 'the name of this build in the history', buildName)
    .addHelpText('after', exitCodes)
    .action(async (target: string | undefined) => {
      const options = optionsSchema.parse(command.opts());
      refuseIdle(command, options);
      if (options.kubernetes) {
        refuseAllBut(command, { name: () => '--kubernetes' }, ['profile', 'seed', 'out', ...kubernetesOptions]);
        const { loadOnKubernetes } = await import('../load/kubernetes/load-on-kubernetes.ts');
        context.end(await loadOnKubernetes(target, options, context));
        return;
      }
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
    .description('merge the records of the shards of one run')
    .argument('<dir...>', 'folders with a load.json each')
    .option('--out <dir>', 'write load.json to this folder')
    .action(async (folders: readonly string[]) => {
      refuseAllBut(command, merge, ['out']);
      // Both commands have this option, and commander gives it to the outer one.
      const { out } = outSchema.parse(merge.optsWithGlobals());
      const { mergeAndReport } = await import('../load/merge-and-report.ts');
      context.end(await mergeAndReport(folders, out, context));
    });
  addExport(command, context);
}

/** An option that judges a comparison must not be ignored silently, which would look like a passed comparison. */
function refuseIdle(command: Command, { baseline, versus, history, kubernetes }: z.infer<typeof optionsSchema>): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  const judging = ['margin', 'require'].find(isGiven);
  if (judging !== undefined && (baseline ?? versus) === undefined)
    throw new UserError(`--${judging} judges a comparison: add --baseline or --versus, or remove it.`);
  if (isGiven('build') && history === undefined)
    throw new UserError('--build names a run in a history: add --history, or remove it.');
  const ofCluster = kubernetesOptions.find((name) => name !== 'kubernetes' && isGiven(name));
  if (ofCluster !== undefined && !kubernetes)
    throw new UserError(`--${ofCluster} is for a load in a cluster: add --kubernetes, or remove it.`);
}

function addExport(outer: Command, context: Context): void {
  const command = outer
    .command('export')
    .description('convert a profile and a target to a script for another engine; nothing is sent')
    .argument('<target>', 'the target file')
    .addOption(new Option('--format <engine>', 'the engine').choices([...exportFormats]).makeOptionMandatory())
    .action(async (target: string) => {
      refuseAllBut(outer, command, ['profile']);
      const { profile, format } = exportSchema.parse(command.optsWithGlobals());
      const { exportLoad } = await import('../load/export-load.ts');
      exportLoad(target, profile, format, context);
      context.end(0);
    });
}

/** Commander gives an option of the outer command to the outer command, even if it follows the inner command. */
function refuseAllBut(outer: Command, inner: { readonly name: () => string }, used: readonly string[]): void {
  const idle = outer.options.find((option) => {
    const name = option.attributeName();
    return outer.getOptionValueSource(name) === 'cli' && !used.includes(name);
  });
  if (idle !== undefined) throw new UserError(`awc load ${inner.name()} does not use ${idle.long}: remove it.`);
}

function shard(text: string): z.infer<typeof shardSchema> {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { index, of };
  throw new InvalidArgumentError('It must be I/N, such as 2/4, with I from 1 to N.');
}

function workers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  return wholeNumber(1, mostWorkers)(text);
}

/** Milliseconds since the epoch. */
function instant(text: string): number {
  const ms = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a date-time such as 2026-12-01T12:00:00Z, or seconds since the epoch.');
}
