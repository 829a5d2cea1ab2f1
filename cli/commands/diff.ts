import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';
import { repeated, wholeNumber } from '../shared/option-values.ts';

const optionsSchema = z.object({
  only: z.array(z.string()).default([]),
  seed: z.int().optional(),
  out: z.string().optional(),
});

/** `awc diff A B`: two runs side by side. Exit 1 when B is worse anywhere. */
export function configureDiff(command: Command, context: Context): void {
  command
    .argument('<a>', 'a report.json or, ending in .yaml, the target file of a deployment, which is judged first')
    .argument('<b>', 'the same: a later one, or another deployment')
    .option('--only <glob>', 'target files: run only checks whose id, or requirement, fits; may be repeated', repeated)
    .option(
      '--seed <n>',
      'target files: draw the same random values as a run with that seed',
      wholeNumber(0, 2 ** 32 - 1),
    )
    .option('--out <dir>', 'target files: write their reports there, in a and b')
    .action(async (first: string, second: string) => {
      const options = optionsSchema.parse(command.opts());
      const { diffAndReport } = await import('../diff-and-report.ts'); // the suites take a while
      context.end(await diffAndReport([first, second], options, context));
    });
}
