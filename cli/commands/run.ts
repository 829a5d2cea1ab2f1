import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';
import { duration, keyValue, repeated, wholeNumber } from '../shared/option-values.ts';

const optionsSchema = z.object({
  only: z.array(z.string()).default([]),
  seed: z.int().optional(),
  strict: z.boolean().default(false),
  allowIncomplete: z.boolean().default(false),
  suites: z.string().optional(),
  waivers: z.string().optional(),
  budget: z.number().optional(),
  out: z.string().optional(),
  stream: z.string().optional(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
});

/** `awc run`: the suite on a deployment, to a report and an exit code. */
export function configureRun(command: Command, context: Context): void {
  command
    .argument('[target]', 'the target file; without one, the embedded reference is judged')
    .option('--only <glob>', 'run only checks whose id, or requirement, fits; may be repeated', repeated)
    .option('--seed <n>', 'draw the same random values as a run with that seed', wholeNumber(0, 2 ** 32 - 1))
    .option('--strict', 'count a violated should as failed')
    .option('--allow-incomplete', 'exit with 0 although musts were not exercised')
    .option('--suites <dir>', 'run the own checks in that folder too')
    .option('--waivers <file>', 'known violations that do not make the run fail, each until a day')
    .option('--budget <time>', 'take no longer than that, such as 10m: the most telling checks first', duration)
    .option('--out <dir>', 'write report.json and junit.xml there')
    .option('--stream <file>', 'write every verdict there as it is reached, a line of JSON each; - is standard output')
    .option('--fault <name>', 'embedded reference only: build that fault in; may be repeated', repeated)
    .option('--choice <key=value>', 'embedded reference only: decide that otherwise; may be repeated', keyValue)
    .action(async (target: string | undefined) => {
      const options = optionsSchema.parse(command.opts());
      const { runAndReport } = await import('../run/run-and-report.ts'); // the suites take a while
      context.end(await runAndReport(target, options, context));
    });
}
