import { type Command, Option } from '@commander-js/extra-typings';
import { formats } from '../../reports/run/formats.ts';
import { renderComparisonHtml } from '../../reports/load/page/comparison-html.ts';
import { loadFormats } from '../../reports/load/load-formats.ts';
import type { Context } from '../shared/context.ts';
import { type AnyRecord, readAnyRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

const comparisonFormats = { html: renderComparisonHtml } as const;

/** `awc report REPORT`: a report in another format. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<report>', 'the report.json of a run, the load.json of a load, or the comparison.json of two builds')
    .addOption(
      new Option(
        '--format <format>',
        'the output format; a load.json supports html, markdown, ndjson, openmetrics and otlp, a comparison.json html',
      )
        .choices(Object.keys({ ...formats, ...loadFormats }))
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'write to this file instead of standard output')
    .option('--target <file>', 'github only: the target file that the annotations point to')
    .action(async (path, { format, out, target }) => {
      if (target !== undefined && format !== 'github') throw new UserError('--target needs --format github.');
      const text = rendered(await readAnyRecord(path), format, target, path);
      if (out === undefined) context.data.write(text);
      else await writeWhole(out, text);
    });
}

function rendered({ kind, record }: AnyRecord, format: string, target: string | undefined, path: string): string {
  switch (kind) {
    case 'run':
      return rendererOf(formats, format, `${path} is a run report`)(record, target);
    case 'load':
      return rendererOf(loadFormats, format, `${path} is a load record`)(record);
    case 'comparison':
      return rendererOf(comparisonFormats, format, `${path} is a comparison`)(record);
  }
}

function rendererOf<Render>(renderers: Readonly<Record<string, Render>>, format: string, what: string): Render {
  const found = Object.entries(renderers).find(([name]) => name === format);
  if (found !== undefined) return found[1];
  const options = Object.keys(renderers);
  const choice = options.length === 1 ? `The only one is ${options[0]}` : `Choose one of ${options.join(', ')}`;
  throw new UserError(`${what}, which does not support --format ${format}. ${choice}.`);
}
