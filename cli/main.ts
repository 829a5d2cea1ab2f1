import { Command, CommanderError } from 'commander';
import { commands } from './commands.ts';
import type { Context } from './shared/context.ts';
import { UserError } from './shared/user-error.ts';
import manifest from '../package.json' with { type: 'json' };

const exitCodes = `
Exit codes: 0 conformant, 1 violated, 2 usage or configuration, 3 target unreachable or no key works,
4 incomplete, 5 fault in the suite, 130 interrupted.`;

/** The command line: reads the arguments of the process, and sets its exit code when all is done. */
export async function main(process: NodeJS.Process): Promise<void> {
  const { argv, env, stdout: out, stderr: err } = process;
  const context: Context = {
    env,
    out,
    err,
    end: (exitCode) => {
      process.exitCode = exitCode;
    },
  };
  for (const stream of [out, err]) stream.on('error', ignoreClosedPipe);
  try {
    const program = await createProgram(argv.slice(2), context);
    await program.parseAsync(argv);
  } catch (error) {
    context.end(report(error, err));
    // Requests and waits may still be under way, and nobody waits for them any more.
    if (error instanceof UserError && error.exitCode === 130) process.exit();
  }
}

/** The program with every command's name and summary; only the commands that the arguments name are loaded whole. */
async function createProgram(words: readonly string[], context: Context): Promise<Command> {
  const program = new Command('awc')
    .description('Conformance suite and load harness for the Analytics Workspace public API.')
    .version(manifest.version)
    .showHelpAfterError('Add --help for what there is.')
    .addHelpText('after', exitCodes)
    .exitOverride();
  for (const { name, summary, load } of commands) {
    const command = program.command(name).summary(summary).description(summary);
    if (words.includes(name)) (await load())(command, context);
  }
  return program;
}

/** Says what went wrong, and gives the exit code for it. */
function report(error: unknown, err: NodeJS.WriteStream): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has said it already
  if (error instanceof UserError) {
    err.write(`awc: ${error.message}\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(`awc: a fault in the suite, please report it: ${text}\n`);
  return 5;
}

/** Whoever reads may stop early, as head does. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
