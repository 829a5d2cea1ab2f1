import { type Command, Option } from '@commander-js/extra-typings';
import { kubernetesOptions } from '../load/kubernetes/kubernetes-options.ts';
import { holdNewSpace } from '../load/load-memory.ts';
import { addGatherOptions, addLoadOptions, type LoadCommandOptions, profileOption } from '../load/load-options.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';

const exitCodes = `
Exit codes: 0 thresholds passed, and not worse than the build it is compared with; 1 a threshold failed, a finding (✗)
is bad, ended early, or worse;
2 usage error; 3 target unreachable; 4 no verdict; 6 a part of a divided load is missing; 130 interrupted.`;

const gatherHelp = `
The parts are awc load TARGET --profile P --seed S --shard I/N --gather http://HOST:PORT. Set AWC_GATHER_TOKEN to the same secret for all;
it can be missing only on loopback. The exit code is that of the merged load; it is 6 if a part is missing.`;

/** `awc load`: a load profile on a deployment, to a record and an exit code. */
export function configure(command: Command, context: Context): void {
  addLoadOptions(command)
    .addHelpText('after', exitCodes)
    .action(async (target, options) => {
      refuseIdle(command, options);
      if (options.kubernetes === true) {
        const idle = givenBeside(command, ['profile', 'seed', 'out', ...kubernetesOptions]);
        if (idle !== undefined) throw new UserError(`awc load --kubernetes does not use ${idle}: remove it.`);
        const { loadOnKubernetes } = await import('../load/kubernetes/load-on-kubernetes.ts');
        context.end(await loadOnKubernetes(target, options, context));
        return;
      }
      if (options.calibrate === true) {
        const { calibrateAndReport } = await import('../load/calibrate-and-report.ts');
        context.end(await calibrateAndReport(options.seed ?? 1, context));
        return;
      }
      holdNewSpace();
      const { asPart } = await import('../load/parts/as-part.ts');
      const { loadAndReport } = await import('../load/load-and-report.ts');
      context.end(await asPart(options, context, (joined) => loadAndReport(target, options, context, joined)));
    });
  command
    .command('merge')
    .description('merge the records of the shards of one run')
    .argument('<dir...>', 'folders with a load.json, or with a failed.json of a part that failed')
    .option('--out <dir>', 'write load.json to this folder')
    .action(async (folders, { out }) => {
      refuseBefore(command, 'merge');
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
  if (ofCluster !== undefined && kubernetes !== true)
    throw new UserError(`--${ofCluster} is for a load in a cluster: add --kubernetes, or remove it.`);
}

function addGather(outer: Command, context: Context): void {
  const command = outer
    .command('gather')
    .description('coordinate the parts of one load: wait for them, start them together and merge their records');
  addGatherOptions(command)
    .addHelpText('after', gatherHelp)
    .action(async (options) => {
      refuseBefore(outer, 'gather');
      const { gatherAndReport } = await import('../load/parts/gather-and-report.ts');
      context.end(await gatherAndReport(options, context));
    });
}

function addExport(outer: Command, context: Context): void {
  outer
    .command('export')
    .description('convert a profile and a target to a script for another engine; nothing is sent')
    .argument('<target>', 'the target file')
    .option(...profileOption)
    .addOption(new Option('--format <engine>', 'the engine').choices(['k6', 'artillery']).makeOptionMandatory())
    .action(async (target, { profile, format }) => {
      refuseBefore(outer, 'export');
      const { exportLoad } = await import('../load/export-load.ts');
      exportLoad(target, profile, format, context);
      context.end(0);
    });
}

/** An option before the name of a subcommand belongs to `awc load`, which does not run then. So the option would have no effect. */
function refuseBefore(outer: Command, name: string): void {
  const idle = givenBeside(outer, []);
  if (idle === undefined) return;
  throw new UserError(`awc load ${name} does not use ${idle} before ${name}: write it after ${name}, or remove it.`);
}

function givenBeside(command: Command, used: readonly string[]): string | undefined {
  const isIdle = (name: string) => command.getOptionValueSource(name) === 'cli' && !used.includes(name);
  return command.options.find((option) => isIdle(option.attributeName()))?.long;
}
