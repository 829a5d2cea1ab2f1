import type { Command } from 'commander';
import type { Context } from './context.ts';

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
];
