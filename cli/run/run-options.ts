import { type Command, Option } from '@commander-js/extra-typings';
import {
  buildName,
  duration,
  keyValue,
  livePortOption,
  numberBeforeFile,
  type OptionsOf,
  repeated,
  wholeNumber,
} from '../shared/option-values.ts';

/** Adds the argument and the options of `awc run`. */
export function addRunOptions(command: Command) {
  return command
    .argument('[target]', 'the target file; without one, the embedded reference is judged')
    .option(
      '--only <glob>',
      'run only these checks: the name of an area, or a glob of check or requirement ids; repeatable',
      repeated,
    )
    .option('--seed <n>', 'reuse the random values of an earlier run', wholeNumber(0, 2 ** 32 - 1))
    .option('--strict', 'count a violated should as failed')
    .option('--allow-incomplete', 'exit with 0 even if some musts were not exercised')
    .option('--suites <dir>', 'also run your own checks in this folder')
    .option('--waivers <file>', 'known violations and accepted gaps that do not fail the run until they expire')
    .option('--budget <time>', 'stop after this time, such as 10m; the most important checks run first', duration)
    .addOption(
      new Option('--bail [number]', 'stop after this many failed musts; without a number, after the first')
        .argParser(numberBeforeFile('--bail', 1, 10_000))
        .preset('1'),
    )
    .option('--out <dir>', 'write report.json and junit.xml to this folder')
    .addOption(livePortOption())
    .option('--stream <file>', 'write each verdict as a line of JSON as soon as it is known; - is standard output')
    .option('--history <file>', 'add the run to this file, and show since which build a requirement fails')
    .option('--build <name>', 'the name of this build in the history', buildName)
    .option('--fault <name>', 'embedded reference only: add this fault (awc list --faults); repeatable', repeated)
    .option(
      '--choice <key=value>',
      'embedded reference only: set this choice (awc list --choices); repeatable',
      keyValue,
    );
}

export type RunCommandOptions = OptionsOf<typeof addRunOptions>;
