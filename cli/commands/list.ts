import type { Command } from '@commander-js/extra-typings';
import { painter } from '../../reports/text/paint.ts';
import { catalogue, catalogueByArea } from '../../spec/catalogue.ts';
import { errataSentences } from '../../spec/errata.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import { type Context, wantsColor } from '../shared/context.ts';

/** `awc list`: every requirement, with its level and section. */
export function configure(command: Command, context: Context): void {
  command
    .option('--json', 'print every field of every requirement as JSON')
    .option('--not-in-traffic', 'only the requirements with a check that check-traffic does not judge')
    .action(async ({ json, notInTraffic }) => {
      const listed = notInTraffic === true ? await onlyInRuns() : catalogue;
      if (json === true) context.data.write(`${JSON.stringify(listed, null, 2)}\n`);
      else context.out.write(table(listed, wantsColor(context.out)));
    });
}

async function onlyInRuns(): Promise<typeof catalogue> {
  // Loaded only when it is needed: the judges take longer to load than the list.
  const { judged } = await import('../../traffic/seen-in.ts');
  return catalogue.filter(({ id, unobservable }) => unobservable === undefined && !judged.has(id));
}

function table(listed: typeof catalogue, color: boolean): string {
  const paint = painter(color);
  const width = Math.max(...listed.map(({ id }) => id.length));
  const areas = Object.entries(catalogueByArea)
    .map(([area, requirements]) => ({ area, requirements: requirements.filter((one) => listed.includes(one)) }))
    .filter(({ requirements }) => requirements.length > 0);
  const lines = areas.flatMap(({ area, requirements }) => [
    paint('strong', area),
    ...requirements.map(({ id, level, section, sentence, unobservable }) => {
      const kind = unobservable === undefined ? level : 'unseen';
      const errata = errataSentences(currentRevision.errata, id).map((line) => `\n  ${' '.repeat(width)}  ${line}`);
      return `  ${id.padEnd(width)}  ${kind.padEnd(6)}  ${section.padEnd(4)} ${sentence}${errata.join('')}`;
    }),
    '',
  ]);
  const unseen = listed.filter(({ unobservable }) => unobservable !== undefined).length;
  const musts = listed.filter(({ level }) => level === 'must').length;
  lines.push(`${listed.length} requirements: ${musts} must, ${listed.length - musts} should.`);
  if (unseen > 0) lines.push(`No caller can observe ${unseen} of them; awc explain ID shows why.`);
  return `${lines.join('\n')}\n`;
}
