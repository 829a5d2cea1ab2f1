import type { Command } from 'commander';
import { z } from 'zod';
import { areaOf } from '../../reports/record/areas.ts';
import { painter } from '../../reports/text/paint.ts';
import { catalogue } from '../../spec/catalogue.ts';
import { type Context, wantsColor } from '../shared/context.ts';

const optionsSchema = z.object({ json: z.boolean().default(false) });

/** `awc list`: every promise of the specification, with its level and section. */
export function configureList(command: Command, context: Context): void {
  command.option('--json', 'print JSON, every field of every requirement').action(() => {
    const { json } = optionsSchema.parse(command.opts());
    context.out.write(json ? `${JSON.stringify(catalogue, null, 2)}\n` : table(wantsColor(context.out)));
  });
}

function table(color: boolean): string {
  const paint = painter(color);
  const width = Math.max(...catalogue.map(({ id }) => id.length));
  const lines = [...Map.groupBy(catalogue, ({ id }) => areaOf(id))].flatMap(([area, requirements]) => [
    paint('strong', area),
    ...requirements.map(({ id, level, section, sentence, unobservable }) => {
      const kind = unobservable === undefined ? level : 'unseen';
      return `  ${id.padEnd(width)}  ${kind.padEnd(6)}  ${section.padEnd(4)} ${sentence}`;
    }),
    '',
  ]);
  const unseen = catalogue.filter(({ unobservable }) => unobservable !== undefined).length;
  const musts = catalogue.filter(({ level }) => level === 'must').length;
  lines.push(`${catalogue.length} requirements: ${musts} must, ${catalogue.length - musts} should.`);
  lines.push(`${unseen} of them no caller can observe; awc explain ID says why.`);
  return `${lines.join('\n')}\n`;
}
