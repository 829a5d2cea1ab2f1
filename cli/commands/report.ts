import { type Command, Option } from 'commander';
import { z } from 'zod';
import { formats } from '../../reports/formats.ts';
import type { Context } from '../context.ts';
import { readRecord } from '../read-record.ts';
import { UserError } from '../user-error.ts';
import { writeWhole } from '../write-whole.ts';

const formatSchema = z.enum(['html', 'markdown', 'github', 'ctrf', 'har', 'junit', 'badge']);

const optionsSchema = z.object({ format: formatSchema, out: z.string().optional(), target: z.string().optional() });

/** `awc report REPORT`: a report in another format. */
export function configureReport(command: Command, context: Context): void {
  command
    .argument('<report>', 'a report.json')
    .addOption(
      new Option('--format <format>', 'what to make of it').choices(formatSchema.options).makeOptionMandatory(),
    )
    .option('--out <file>', 'write it there instead of printing it')
    .option('--target <file>', 'github only: the target file, on which the annotations are shown')
    .action(async (path: string) => {
      const { format, out, target } = optionsSchema.parse(command.opts());
      if (target !== undefined && format !== 'github') throw new UserError('--target goes with --format github.');
      const text = formats[format](await readRecord(path), target);
      if (out === undefined) context.out.write(text);
      else await writeWhole(out, text);
    });
}
