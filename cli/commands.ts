import type { Command } from 'commander';
import type { Context } from './shared/context.ts';

/** Adds arguments, options and action to a command that has its name and summary already. */
export type Configure = (command: Command, context: Context) => void;

type Entry = {
  readonly name: string;
  readonly summary: string;
  /** Loads the command, which no other command should have to wait for. */
  readonly load: () => Promise<Configure>;
};

/** Every command, in the order of the help. */
export const commands: readonly Entry[] = [
  {
    name: 'run',
    summary: 'judge a deployment; without a target file, the embedded reference',
    load: async () => (await import('./commands/run.ts')).configureRun,
  },
  {
    name: 'serve',
    summary: 'the reference on a port, with its target file',
    load: async () => (await import('./commands/serve.ts')).configureServe,
  },
  {
    name: 'init',
    summary: 'a target file, by asking',
    load: async () => (await import('./commands/init.ts')).configureInit,
  },
  {
    name: 'doctor',
    summary: 'whether a deployment can be judged, and what a run would send and leave out',
    load: async () => (await import('./commands/doctor.ts')).configureDoctor,
  },
  {
    name: 'load',
    summary: 'how much a deployment takes, and whether it stays right; without a target file, the embedded reference',
    load: async () => (await import('./commands/load.ts')).configureLoad,
  },
  {
    name: 'compare',
    summary: 'the load runs of two builds: whether the second is worse',
    load: async () => (await import('./commands/compare.ts')).configureCompare,
  },
  {
    name: 'list',
    summary: 'every promise of the specification',
    load: async () => (await import('./commands/list.ts')).configureList,
  },
  {
    name: 'explain',
    summary: 'one promise: its sentence, its checks, and the faults that they catch',
    load: async () => (await import('./commands/explain.ts')).configureExplain,
  },
  {
    name: 'replay',
    summary: 'one check of a report again',
    load: async () => (await import('./commands/replay.ts')).configureReplay,
  },
  {
    name: 'report',
    summary: 'a report in another format',
    load: async () => (await import('./commands/report.ts')).configureReport,
  },
  {
    name: 'diff',
    summary: 'two reports, or two deployments, side by side',
    load: async () => (await import('./commands/diff.ts')).configureDiff,
  },
  {
    name: 'keygen',
    summary: 'a pair of keys for certificates',
    load: async () => (await import('./commands/keygen.ts')).configureKeygen,
  },
  {
    name: 'certify',
    summary: 'a whole run, sealed for others to verify',
    load: async () => (await import('./commands/certify.ts')).configureCertify,
  },
  {
    name: 'verify',
    summary: 'whether a certificate is signed, whole, and says what its exchanges say',
    load: async () => (await import('./commands/verify.ts')).configureVerify,
  },
  {
    name: 'check-traffic',
    summary: 'recorded traffic judged by the same promises; nothing is sent',
    load: async () => (await import('./commands/check-traffic.ts')).configureCheckTraffic,
  },
  {
    name: 'openapi',
    summary: 'the six operations as OpenAPI 3.1',
    load: async () => (await import('./commands/openapi.ts')).configureOpenapi,
  },
  {
    name: 'proof',
    summary: 'the suite itself: it catches every fault and accuses no legal deployment',
    load: async () => (await import('./commands/proof.ts')).configureProof,
  },
];
