import { type Command, Option } from 'commander';
import { z } from 'zod';
import { renderHtml } from '../../reports/html/html.ts';
import { renderJunit } from '../../reports/junit.ts';
import type { RunRecord } from '../../reports/record.ts';
import type { Context } from '../context.ts';
import { readRecord } from '../read-record.ts';
import { writeWhole } from '../write-whole.ts';

const formats = ['html', 'junit'] as const;

const optionsSchema = z.object({ format: z.enum(formats), out: z.string().optional() });

const renderers: Readonly<Record<(typeof formats)[number], (record: RunRecord) => string>> = {
  html: renderHtml,
  junit: renderJunit,
};

/** `awc report REPORT`: a report in another format. */
export function configureReport(command: Command, context: Context): void {
  command
    .argument('<report>', 'a report.json')
    .addOption(new Option('--format <format>', 'what to make of it').choices(formats).makeOptionMandatory())
    .option('--out <file>', 'write it there instead of printing it')
    .action(async (path: string) => {
      const { format, out } = optionsSchema.parse(command.opts());
      const text = renderers[format](await readRecord(path));
      if (out === undefined) context.out.write(text);
      else await writeWhole(out, text);
    });
}
