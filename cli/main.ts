import { Command, CommanderError, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import { commands } from './commands.ts';
import { shownLines } from '../core/text.ts';
import type { Context, Output } from './shared/context.ts';
import { UserError } from './shared/user-error.ts';
import manifest from '../package.json' with { type: 'json' };

const exitCodes = `
Exit codes: 0 conformant, 1 violated, 2 usage or configuration error, 3 the target is unreachable,
accepts no key or stopped answering, 4 incomplete, 5 bug in the suite, 6 a part of a load is missing, 130 interrupted.`;

/** What a command needs of its process. */
export type CommandProcess = Pick<Context, 'env'> & {
  readonly argv: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode: NodeJS.Process['exitCode'];
  readonly exit: () => void;
  /** How long it has run, in seconds. */
  readonly uptime: () => number;
};

/** Runs the command that the process arguments name, and sets the exit code. */
export async function main(process: CommandProcess): Promise<void> {
  const { argv, env, stdout, stderr } = process;
  const err = plainOutput(stderr);
  const context: Context = {
    env,
    startedAt: Date.now() - process.uptime() * 1000,
    out: plainOutput(stdout),
    data: stdout,
    err,
    end: (exitCode) => {
      process.exitCode = exitCode;
    },
  };
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);
  try {
    const words = argv.slice(2);
    const program = await createProgram(words, context);
    await program.parseAsync(unknownCommand(program, words) ?? words, { from: 'user' });
  } catch (error) {
    context.end(report(error, err));
    // Requests and waits may still be in progress; the process must not wait for them.
    if (error instanceof UserError && error.exitCode === 130) process.exit();
  }
}

/**
 * The words up to and including the first one that is not a command; undefined if there is none. Without this, --help or help would
 * print the help and hide the mistake. A command with arguments of its own takes any word.
 */
function unknownCommand(program: Command, words: readonly string[]): readonly string[] | undefined {
  const named: string[] = [];
  let command: CommandUnknownOpts = program;
  for (const word of words.filter((each) => !each.startsWith('-') && each !== 'help')) {
    if (command.commands.length === 0 || command.registeredArguments.length > 0) return undefined;
    named.push(word);
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) return named;
    command = next;
  }
  return undefined;
}

/** Every command has its name and summary; only the commands that the arguments name are loaded. */
async function createProgram(words: readonly string[], context: Context): Promise<Command> {
  const program = new Command('awc')
    .description('Conformance suite and load harness for the Analytics Workspace public API.')
    .version(manifest.version)
    .enablePositionalOptions() // awc submit has a --version of its own
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(shownLines(text)),
      outputError: (text, write) =>
        write(text.replace(targetOption, '$1\n(The target file is an argument: awc run FILE)\n')),
    })
    .configureHelp({ optionDescription })
    .showHelpAfterError('Run with --help to list the commands and options.')
    .addHelpText('after', exitCodes)
    .exitOverride();
  for (const { name, summary, load } of commands) {
    const command = program.command(name).enablePositionalOptions(false).summary(summary).description(summary);
    if (words.includes(name)) (await load()).configure(command, context);
  }
  return program;
}

/** Several users try this option first. No option is spelt like it, so what commander suggests would mislead. */
const targetOption = /^(error: unknown option '--target(?:=[^']*)?').*$/s;

/** Without the preset of an option: its description says what the option means without a value. */
function optionDescription(option: Option): string {
  return option.presetArg === undefined ? new Help().optionDescription(option) : option.description;
}

/** Prints the error and returns its exit code. */
function report(error: unknown, err: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  if (error instanceof UserError) {
    err.write(`awc: ${shownLines(error.message)}\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.write(`awc: bug in the suite, please report it: ${shownLines(text)}\n`);
  return 5;
}

/** A reader such as head may stop early. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Two number signs before a bracket, as in `##[group]` and `##vso[task.complete]`: a command anywhere in a line. */
const commandAnywhere = /##(?=\w*\[)/g;

/** Two colons at the beginning of a line, as in `::error::`, behind spaces and colours. */
const commandAtStart = /^((?:\s|\u001b\[[\d;]*m)*):(?=:)/gm;

/**
 * The stream for text that people read. The text can have names, paths and answers from elsewhere, and the log of a CI system
 * takes some of them as commands; a space between their marks prevents this.
 */
function plainOutput(stream: Output): Output {
  function write(text: string | Uint8Array): boolean {
    return stream.write(typeof text === 'string' ? withoutCommands(text) : text);
  }
  return new Proxy(stream, {
    get: (own, name) => (name === 'write' ? write : Reflect.get(own, name, own)),
  });
}

function withoutCommands(text: string): string {
  return text.replace(commandAnywhere, '# #').replace(commandAtStart, '$1: ');
}
