import type { Command } from 'commander';
import { z } from 'zod';
import { addComparisonOptions, comparisonOptionsSchema } from '../load/comparison-options.ts';
import type { Context } from '../shared/context.ts';

const optionsSchema = comparisonOptionsSchema.extend({ history: z.string().optional() });

/** `awc compare A B`: the load runs of two builds. Exit 0 no worse, 1 worse, 4 cannot tell. */
export function configureCompare(command: Command, context: Context): void {
  addComparisonOptions(command)
    .argument('<a>', 'of the build before: a load.json, its folder, or a folder of several runs')
    .argument('<b>', 'of the build that is judged')
    .option('--history <file>', 'take from it how single runs vary, where there are fewer than 4 of each')
    .addHelpText('after', '\nExit codes: 0 no worse, 1 worse, 2 usage, 4 cannot tell.')
    .action(async (first: string, second: string) => {
      const { compareAndReport } = await import('../load/compare-and-report.ts');
      context.end(await compareAndReport([first, second], optionsSchema.parse(command.opts()), context));
    });
}
