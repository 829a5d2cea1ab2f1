import { type Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { maxChallenge } from '../../certificates/bundle/run-file-schema.ts';
import { shown } from '../../core/text.ts';

/** The values of the options that a function adds to a command. */
export type OptionsOf<Add extends (command: Command) => CommandUnknownOpts> = ReturnType<ReturnType<Add>['opts']>;

/** Reads a whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (wholeNumberForm.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

const wholeNumberForm = /^-?\d+$/;

/** Reads the number of an option that may stand without one, such as `--bail`: a target file behind it is taken for the number. */
export function numberBeforeFile(flag: string, least: number, most: number): (text: string) => number {
  const read = wholeNumber(least, most);
  return (text) => {
    if (wholeNumberForm.test(text)) return read(text);
    const file = shown(text, 200);
    throw new InvalidArgumentError(
      `It must be a whole number from ${least} to ${most}. If it is the target file, write ${flag}=${least} ${file}, or ${file} ${flag}.`,
    );
  };
}

/** Reads a duration such as `90s`, `10m` or `1h` as milliseconds. */
export function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  const ms = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h.');
}

/** Reads a text that is not empty. */
export function someText(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

const longestBuild = 200;

/** Reads the name of a build. */
export function buildName(text: string): string {
  if (text.length <= longestBuild) return text;
  throw new InvalidArgumentError(`It can have up to ${longestBuild} characters.`);
}

/** The option of every command that can be watched in a browser. */
export function livePortOption() {
  return new Option(
    '--live [port]',
    'show the run in the browser while it is in progress, at this port of 127.0.0.1; without a port, at any free one',
  )
    .argParser(numberBeforeFile('--live', 0, 65_535))
    .preset('0');
}

/** Collects the values of a repeatable option. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Collects the `KEY=VALUE` pairs of a repeatable option. */
export function keyValue(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Reads the challenge of a certifier: one line. */
export function challengeText(text: string): string {
  if (text.length > 0 && text.length <= maxChallenge && shown(text) === text) return text;
  throw new InvalidArgumentError(`It must be one line of 1 to ${maxChallenge} characters.`);
}
