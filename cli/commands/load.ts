import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { addComparisonOptions } from '../load/comparison-options.ts';
import { addKubernetesOptions, kubernetesOptions } from '../load/kubernetes/kubernetes-options.ts';
import { gatherSchema, type GatherOptions, type LoadCommandOptions, loadOptionsSchema } from '../load/load-options.ts';
import { mostWorkers } from '../../load/schedule/arrivals.ts';
import { mostParts } from '../../reports/load/load-record.ts';
import type { Context } from '../shared/context.ts';
import { buildName, duration, keyValue, livePortOption, repeated, wholeNumber } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';

const exitCodes = `
Exit codes: 0 thresholds passed and no worse; 1 a threshold failed, a finding (✗) is bad, ended early, or worse;
2 usage error; 3 target unreachable; 4 no verdict; 6 a part of a divided load is missing; 130 interrupted.`;

const profileOption = ['--profile <name|file>', 'the name of a shipped profile, or a profile file', 'smoke'] as const;
const exportFormats = ['k6', 'artillery'] as const;
const exportSchema = z.object({ profile: z.string(), format: z.enum(exportFormats) });
const gatherHelp = `
The parts are awc load TARGET --profile P --seed S --shard I/N --gather http://HOST:PORT. Set AWC_GATHER_TOKEN to the same secret for all;
it can be missing only on loopback. The exit code is that of the merged load; it is 6 if a part is missing.`;
const outSchema = z.object({ out: z.string().optional() });

/** `awc load`: a load profile on a deployment, to a record and an exit code. */
export function configure(command: Command, context: Context): void {
  command
    .enablePositionalOptions() // options behind an inner command are its own
    .argument('[target]', 'the target file; without one, the embedded reference in its own process')
    .option(...profileOption)
    .option('--seed <n>', 'reuse the schedule and inputs of an earlier run', wholeNumber(0, 2 ** 32 - 1))
    .option('--shard <i/n>', 'send only every n-th request of the schedule, starting with the i-th', shard)
    .option('--workers <n|auto>', 'spread an open load over threads; auto takes one for each core', workers)
    .option('--start-at <time>', 'when to start: a date-time, or seconds since the epoch', instant)
    .option('--gather <url>', 'the coordinator of the parts (awc load gather), instead of --start-at', coordinatorUrl)
    .option('--calibrate', 'measure local servers with a known latency model instead of the target')
    .option(
      '--out <dir>',
      'write load.json, and comparison.json if builds are compared, to this folder; several runs get a folder each',
    )
    .option('--fault <name>', 'embedded reference only: add this fault; repeatable', repeated)
    .option('--choice <key=value>', 'embedded reference only: set this choice; repeatable', keyValue)
    .addOption(livePortOption())
    .option('--otlp <url>', 'push metrics to this collector, such as http://localhost:4318/v1/metrics', collectorUrl)
    .option('--rounds <n>', 'number of runs (default: 8 with --versus, otherwise 1)', wholeNumber(1, 500))
    .option('--baseline <path>', 'compare with an earlier build: its load.json, or a folder of several runs')
    .option('--versus <target>', 'compare with another deployment, measured alternately with this one');
  addComparisonOptions(command);
  addKubernetesOptions(command)
    .option('--history <file>', 'add the run to this file and show the trend')
    .option('--build <name>', 'the name of this build in the history', buildName)
    .addHelpText('after', exitCodes)
    .action(async (target: string | undefined) => {
      const options = loadOptionsSchema.parse(command.opts());
      refuseIdle(command, options);
      if (options.kubernetes) {
        const idle = givenBeside(command, ['profile', 'seed', 'out', ...kubernetesOptions]);
        if (idle !== undefined) throw new UserError(`awc load --kubernetes does not use ${idle}: remove it.`);
        const { loadOnKubernetes } = await import('../load/kubernetes/load-on-kubernetes.ts');
        context.end(await loadOnKubernetes(target, options, context));
        return;
      }
      if (options.calibrate) {
        const { calibrateAndReport } = await import('../load/calibrate-and-report.ts');
        context.end(await calibrateAndReport(options.seed ?? 1, context));
        return;
      }
      const { asPart } = await import('../load/parts/as-part.ts');
      const { loadAndReport } = await import('../load/load-and-report.ts');
      context.end(await asPart(options, context, (joined) => loadAndReport(target, options, context, joined)));
    });
  const merge = command
    .command('merge')
    .description('merge the records of the shards of one run')
    .argument('<dir...>', 'folders with a load.json, or with a failed.json of a part that failed')
    .option('--out <dir>', 'write load.json to this folder')
    .action(async (folders: readonly string[]) => {
      refuseBefore(command, merge);
      const { out } = outSchema.parse(merge.opts());
      const { mergeAndReport } = await import('../load/parts/merge-and-report.ts');
      context.end(await mergeAndReport(folders, out, context));
    });
  addGather(command, context);
  addExport(command, context);
}

/** An option that judges a comparison must not be ignored silently, which would look like a passed comparison. */
function refuseIdle(command: Command, options: LoadCommandOptions): void {
  const { baseline, versus, history, kubernetes, gather, startAt } = options;
  if (gather !== undefined && startAt !== undefined)
    throw new UserError('--gather and --start-at both say when a part starts: choose one.');
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  if (gather !== undefined && !isGiven('shard')) throw new UserError('--gather needs --shard: it coordinates parts.');
  const judging = ['margin', 'require'].find(isGiven);
  if (judging !== undefined && (baseline ?? versus) === undefined)
    throw new UserError(`--${judging} judges a comparison: add --baseline or --versus, or remove it.`);
  if (isGiven('build') && history === undefined)
    throw new UserError('--build names a run in a history: add --history, or remove it.');
  const ofCluster = kubernetesOptions.find((name) => name !== 'kubernetes' && isGiven(name));
  if (ofCluster !== undefined && !kubernetes)
    throw new UserError(`--${ofCluster} is for a load in a cluster: add --kubernetes, or remove it.`);
}

function addGather(outer: Command, context: Context): void {
  const command = outer
    .command('gather')
    .description('coordinate the parts of one load: wait for them, start them together and merge their records')
    .addOption(
      new Option('--shards <n>', 'the number of parts').argParser(wholeNumber(1, mostParts)).makeOptionMandatory(),
    )
    .addOption(
      new Option('--listen <host:port>', 'where to wait for the parts; port 0 is any free one')
        .argParser(listenAddress)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .addOption(
      new Option('--within <time>', 'how long the parts may take to register')
        .argParser(duration)
        .default(10 * 60_000, '10m'),
    )
    .option('--out <dir>', 'write load.json, and the record of each part, to this folder')
    .option('--json', 'print load.json after the report, as the last line')
    .addHelpText('after', gatherHelp)
    .action(async () => {
      refuseBefore(outer, command);
      const options = gatherSchema.parse(command.opts());
      const { gatherAndReport } = await import('../load/parts/gather-and-report.ts');
      context.end(await gatherAndReport(options, context));
    });
}

function addExport(outer: Command, context: Context): void {
  const command = outer
    .command('export')
    .description('convert a profile and a target to a script for another engine; nothing is sent')
    .argument('<target>', 'the target file')
    .option(...profileOption)
    .addOption(new Option('--format <engine>', 'the engine').choices([...exportFormats]).makeOptionMandatory())
    .action(async (target: string) => {
      refuseBefore(outer, command);
      const { profile, format } = exportSchema.parse(command.opts());
      const { exportLoad } = await import('../load/export-load.ts');
      exportLoad(target, profile, format, context);
      context.end(0);
    });
}

/** An option before the name of a subcommand belongs to `awc load`, which does not run then. So the option would have no effect. */
function refuseBefore(outer: Command, inner: Command): void {
  const idle = givenBeside(outer, []);
  if (idle === undefined) return;
  const name = inner.name();
  throw new UserError(`awc load ${name} does not use ${idle} before ${name}: write it after ${name}, or remove it.`);
}

function givenBeside(command: Command, used: readonly string[]): string | undefined {
  const isIdle = (name: string) => command.getOptionValueSource(name) === 'cli' && !used.includes(name);
  return command.options.find((option) => isIdle(option.attributeName()))?.long;
}

function shard(text: string): LoadCommandOptions['shard'] {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= mostParts) return { index, of };
  throw new InvalidArgumentError(`It must be I/N, such as 2/4, with I from 1 to N, and N up to ${mostParts}.`);
}

function workers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  return wholeNumber(1, mostWorkers)(text);
}

function listenAddress(text: string): GatherOptions['listen'] {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new InvalidArgumentError('It must be HOST:PORT, such as 0.0.0.0:8700.');
}

/** The origin of a coordinator. */
function collectorUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError(
    'It must be http://HOST:PORT/v1/metrics; OTEL_EXPORTER_OTLP_HEADERS has the headers that it needs.',
  );
}

function coordinatorUrl(text: string): string {
  const { origin = '', href } = URL.parse(text) ?? {};
  if (/^https?:/.test(origin) && href === `${origin}/`) return origin;
  throw new InvalidArgumentError('It must be http://HOST:PORT.');
}

/** Milliseconds since the epoch. */
function instant(text: string): number {
  const ms = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a date-time such as 2026-12-01T12:00:00Z, or seconds since the epoch.');
}
