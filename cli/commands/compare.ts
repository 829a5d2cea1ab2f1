import type { Command } from '@commander-js/extra-typings';
import { addComparisonOptions } from '../load/comparison-options.ts';
import type { Context } from '../shared/context.ts';

/** `awc compare A B`: the load runs of two builds. Exit 0 no worse, 1 worse, 4 undecided. */
export function configure(command: Command, context: Context): void {
  addComparisonOptions(command)
    .argument('<a>', 'the baseline build: a load.json, its folder, or a folder of several runs')
    .argument('<b>', 'the build to judge, in the same form')
    .option('--history <file>', 'the history to estimate variation from, if there are fewer than 4 runs of each build')
    .option('--out <dir>', 'write comparison.json to this folder')
    .addHelpText('after', '\nExit codes: 0 no worse, 1 worse, 2 usage error, 4 undecided.')
    .action(async (first, second, options) => {
      const { compareAndReport } = await import('../load/report-comparison.ts');
      context.end(await compareAndReport([first, second], options, context));
    });
}
