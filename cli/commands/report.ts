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

/** What can be shown, and how. */
const rendererTables = {
  'a run report': formats,
  'a load record': loadFormats,
  'a comparison': comparisonFormats,
} as const satisfies Readonly<Record<string, object>>;

function rendered({ kind, record }: AnyRecord, format: string, target: string | undefined, path: string): string {
  switch (kind) {
    case 'run':
      return rendererOf(formats, format, path, 'a run report')(record, target);
    case 'load':
      return rendererOf(loadFormats, format, path, 'a load record')(record);
    case 'comparison':
      return rendererOf(comparisonFormats, format, path, 'a comparison')(record);
  }
}

function rendererOf<Render>(
  renderers: Readonly<Record<string, Render>>,
  format: string,
  path: string,
  what: keyof typeof rendererTables,
): Render {
  const found = Object.entries(renderers).find(([name]) => name === format);
  if (found !== undefined) return found[1];
  const others = Object.entries(rendererTables).flatMap(([name, table]) => (format in table ? [name] : []));
  throw new UserError(
    `${path} is ${what}, which can be written as ${Object.keys(renderers).join(', ')}. --format ${format} is for ${others.join(' and ')}.`,
  );
}
