import type { Command } from 'commander';
import { z } from 'zod';
import { painter } from '../../reports/text/paint.ts';
import { catalogue, catalogueByArea } from '../../spec/catalogue.ts';
import { errataSentences } from '../../spec/errata.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import { type Context, wantsColor } from '../shared/context.ts';

const optionsSchema = z.object({ json: z.boolean().default(false) });

/** `awc list`: every requirement, with its level and section. */
export function configure(command: Command, context: Context): void {
  command.option('--json', 'print every field of every requirement as JSON').action(() => {
    const { json } = optionsSchema.parse(command.opts());
    if (json) context.data.write(`${JSON.stringify(catalogue, null, 2)}\n`);
    else context.out.write(table(wantsColor(context.out)));
  });
}

function table(color: boolean): string {
  const paint = painter(color);
  const width = Math.max(...catalogue.map(({ id }) => id.length));
  const lines = Object.entries(catalogueByArea).flatMap(([area, requirements]) => [
    paint('strong', area),
    ...requirements.map(({ id, level, section, sentence, unobservable }) => {
      const kind = unobservable === undefined ? level : 'unseen';
      const errata = errataSentences(currentRevision.errata, id).map((line) => `\n  ${' '.repeat(width)}  ${line}`);
      return `  ${id.padEnd(width)}  ${kind.padEnd(6)}  ${section.padEnd(4)} ${sentence}${errata.join('')}`;
    }),
    '',
  ]);
  const unseen = catalogue.filter(({ unobservable }) => unobservable !== undefined).length;
  const musts = catalogue.filter(({ level }) => level === 'must').length;
  lines.push(`${catalogue.length} requirements: ${musts} must, ${catalogue.length - musts} should.`);
  lines.push(`No caller can observe ${unseen} of them; awc explain ID shows why.`);
  return `${lines.join('\n')}\n`;
}
