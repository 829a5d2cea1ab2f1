import type { Command } from '@commander-js/extra-typings';
import type { Context } from './shared/context.ts';

/** A module in commands/: it adds arguments, options and action to a command. */
type CommandModule = { readonly configure: (command: Command, context: Context) => void };

type Entry = {
  readonly name: string;
  readonly summary: string;
  /** Only the command that runs is loaded. */
  readonly load: () => Promise<CommandModule>;
};

/** Every command, in the order of the help. */
export const commands: readonly Entry[] = [
  entry('run', 'judge a deployment', () => import('./commands/run.ts')),
  entry('serve', 'serve the reference on a port and write its target file', () => import('./commands/serve.ts')),
  entry('init', 'write a target file from questions or flags', () => import('./commands/init.ts')),
  entry(
    'doctor',
    'check that a deployment can be judged, and show what a run would do',
    () => import('./commands/doctor.ts'),
  ),
  entry('load', 'measure a deployment under load and validate its answers', () => import('./commands/load.ts')),
  entry('profile', 'write or check a load profile', () => import('./commands/profile.ts')),
  entry('compare', 'compare the load runs of two builds', () => import('./commands/compare.ts')),
  entry(
    'list',
    'list every requirement, or the faults and choices of the reference',
    () => import('./commands/list.ts'),
  ),
  entry(
    'explain',
    'explain one requirement, its checks and the faults they catch',
    () => import('./commands/explain.ts'),
  ),
  entry(
    'annotate',
    'show the specification with the requirements and verdicts of each sentence',
    () => import('./commands/annotate.ts'),
  ),
  entry('replay', 'run one check of a report again', () => import('./commands/replay.ts')),
  entry('report', 'convert a report to another format', () => import('./commands/report.ts')),
  entry('diff', 'compare two reports or two deployments', () => import('./commands/diff.ts')),
  entry('keygen', 'create a key pair for certificates', () => import('./commands/certificates/keygen.ts')),
  entry(
    'certify',
    'run every check and write a signed certificate',
    () => import('./commands/certificates/certify.ts'),
  ),
  entry('verify', 'verify a certificate', () => import('./commands/certificates/verify.ts')),
  entry(
    'countersign',
    'judge a certified deployment again, and sign its certificate too',
    () => import('./commands/certificates/countersign.ts'),
  ),
  entry('submit', 'add a certificate to a registry', () => import('./commands/submit.ts')),
  entry(
    'registry',
    "check a registry, build its site, or change a vendor's key",
    () => import('./commands/registry.ts'),
  ),
  entry('check-traffic', 'judge recorded traffic; nothing is sent', () => import('./commands/check-traffic.ts')),
  entry('openapi', 'print the six operations as OpenAPI 3.1', () => import('./commands/openapi.ts')),
  entry(
    'proof',
    'test the suite: it must catch every fault and accuse no legal deployment',
    () => import('./commands/proof.ts'),
  ),
];

function entry(name: string, summary: string, load: Entry['load']): Entry {
  return { name, summary, load };
}
