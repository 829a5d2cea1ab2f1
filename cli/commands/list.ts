import { type Command, Option } from '@commander-js/extra-typings';
import { painter } from '../../reports/text/paint.ts';
import { catalogue, catalogueByArea } from '../../spec/catalogue.ts';
import { errataSentences } from '../../spec/errata.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import { type Context, wantsColor } from '../shared/context.ts';

/** `awc list`: every requirement, with its level and section; or every fault or choice of the reference. */
export function configure(command: Command, context: Context): void {
  command
    .option('--json', 'print every field of every requirement as JSON')
    .option('--not-in-traffic', 'only the requirements with a check that check-traffic does not judge')
    .addOption(new Option('--faults', 'list the faults that --fault adds to the reference').conflicts(ofRequirements))
    .addOption(
      new Option('--choices', 'list the choices that --choice sets, and their values').conflicts([
        'faults',
        ...ofRequirements,
      ]),
    )
    .action(async ({ json, notInTraffic, faults, choices }) => {
      const listed = notInTraffic === true ? await onlyInRuns() : catalogue;
      if (faults === true) context.out.write(await faultTable());
      else if (choices === true) context.out.write(await choiceTable());
      else if (json === true) context.data.write(`${JSON.stringify(listed, null, 2)}\n`);
      else context.out.write(table(listed, wantsColor(context.out)));
    });
}

const ofRequirements = ['json', 'notInTraffic'];

/** Every fault under the requirement that it breaks. */
async function faultTable(): Promise<string> {
  const { faults } = await import('../../reference/faults/faults.ts');
  const byRequirement = Map.groupBy(faults, ({ breaks }) => breaks);
  const blocks = [...byRequirement].map(([requirement, own]) => [
    requirement,
    ...own.map(({ name, sentence }) => `  ${name}: ${sentence}`),
    '',
  ]);
  return `${[...blocks.flat(), `${faults.length} faults. awc run --fault NAME adds one to the reference.`].join('\n')}\n`;
}

/** Every choice with its values, the default first. */
async function choiceTable(): Promise<string> {
  const { choices } = await import('../../reference/choices/choices.ts');
  const blocks = choices.map(({ axis, sentence, values, default: own }) => [
    `${axis}: ${sentence}`,
    `  ${[`${own} (default)`, ...Object.keys(values).filter((value) => value !== own)].join(', ')}`,
    '',
  ]);
  return `${[...blocks.flat(), `${choices.length} choices. awc run --choice KEY=VALUE sets one in the reference.`].join('\n')}\n`;
}

async function onlyInRuns(): Promise<typeof catalogue> {
  // Loaded only when it is needed: the judges take longer to load than the list.
  const { judged } = await import('../../traffic/seen-in.ts');
  return catalogue.filter(({ id, unobservable }) => unobservable === undefined && !judged.has(id));
}

function kindOf({ level, unobservable }: (typeof catalogue)[number]): string {
  return unobservable === undefined ? level : 'unobservable';
}

function table(listed: typeof catalogue, color: boolean): string {
  const paint = painter(color);
  const width = Math.max(...listed.map(({ id }) => id.length));
  const kinds = Math.max(...listed.map((one) => kindOf(one).length));
  const areas = Object.entries(catalogueByArea)
    .map(([area, requirements]) => ({ area, requirements: requirements.filter((one) => listed.includes(one)) }))
    .filter(({ requirements }) => requirements.length > 0);
  const lines = areas.flatMap(({ area, requirements }) => [
    paint('strong', area),
    ...requirements.map((requirement) => {
      const { id, section, sentence } = requirement;
      const errata = errataSentences(currentRevision.errata, id).map((line) => `\n  ${' '.repeat(width)}  ${line}`);
      return `  ${id.padEnd(width)}  ${kindOf(requirement).padEnd(kinds)}  ${section.padEnd(4)} ${sentence}${errata.join('')}`;
    }),
    '',
  ]);
  const hidden = listed.filter(({ unobservable }) => unobservable !== undefined).length;
  const musts = listed.filter(({ level }) => level === 'must').length;
  lines.push(`${listed.length} requirements: ${musts} must, ${listed.length - musts} should.`);
  if (hidden > 0) lines.push(`${hidden} of them are unobservable: awc explain ID shows why.`);
  return `${lines.join('\n')}\n`;
}
