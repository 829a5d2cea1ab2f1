import { shown } from '../../core/text.ts';
import { type FindingGroup, findingGroups, groupSentence, isConsequence } from '../causes/finding-groups.ts';
import { areaName } from '../record/areas.ts';
import { reportedStatuses, statusOf } from '../record/check-status.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { findingParts } from '../text/check-text.ts';
import { lanesText } from '../text/lanes.ts';
import type { Paint } from '../text/paint.ts';
import { someOf } from '../text/some-of.ts';
import { checkTones } from '../text/tones.ts';

/** Bounds the findings in full, of all statuses together, so that they fit on one screen. */
const maxInFull = 3;
/** Bounds the causes with a line each, of each status. */
const maxLines = 20;
/** In characters. A longer curl line is in the report only. */
const maxCurl = 1500;

/** In characters, of a line of lanes. */
const maxLane = 200;

/** The findings on a screen, and the number of checks that only the report shows in full. */
export type TerminalFindings = { readonly blocks: readonly string[]; readonly shortened: number };

/**
 * The plainest causes in full, each with what it explains, and a line for each further cause. A cause from another area says
 * more than a second one from the same area.
 */
export function terminalFindings(record: RunRecord, paint: Paint): TerminalFindings {
  const blocks: string[] = [];
  let shortened = 0;
  let left = maxInFull;
  for (const status of reportedStatuses) {
    const groups = differentFirst(findingGroups(record, status));
    const inFull = groups.filter((group) => !isConsequence(group)).slice(0, left);
    const rest = groups.filter((group) => !inFull.includes(group));
    left -= inFull.length;
    blocks.push(...inFull.map((group) => `${finding(group.first, record.requirements, paint)}${folded(group, paint)}`));
    const restChecks = rest.reduce((sum, { others }) => sum + 1 + others.length, 0);
    shortened += restChecks + inFull.reduce((sum, { others }) => sum + others.length, 0);
    if (rest.length > 0) {
      const title = inFull.length > 0 ? `${restChecks} more ${status}` : `${restChecks} ${status}`;
      blocks.push([paint(checkTones[status], title), ...shortLines(rest, record.requirements, paint)].join('\n'));
    }
  }
  return { blocks, shortened };
}

/** What a finding in full explains, in two lines. */
function folded(group: FindingGroup, paint: Paint): string {
  const sentence = groupSentence(group);
  if (sentence === undefined) return '';
  const ids = someOf(group.others.map(({ id }) => shown(id, 120)));
  return `\n  ${sentence}:\n${paint('faint', `    ${ids}`)}`;
}

/** A check for a terminal: the requirement, what was expected, what came, and the curl line that sends it again. */
export function finding(check: CheckRecord, requirements: RunRecord['requirements'], paint: Paint): string {
  const { curl, lanes, level } = check;
  const status = statusOf(check);
  const requirement = requirements.find(({ id }) => id === check.requirement);
  const parts = [
    ...findingParts(check),
    ...(curl === undefined
      ? []
      : [['curl', curl.length > maxCurl ? 'too long for a screen: report.json has it, which --out DIR writes' : curl]]),
  ];
  return [
    [
      paint(checkTones[status], status.toUpperCase()),
      paint('strong', shown(check.id, 160)),
      paint('faint', `${level}, section ${shown(requirement?.section ?? '?', 20)}`),
    ].join('  '),
    `  ${shown(requirement?.sentence ?? check.title, 500)}`,
    ...parts.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${shown(text, maxCurl)}`),
    ...(lanes === undefined ? [] : lanesText(lanes).map((line) => paint('faint', `    ${shown(line, maxLane)}`))),
  ].join('\n');
}

/** The first cause of every area, then the others. */
function differentFirst(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  const ofAreas = Map.groupBy(groups, ({ cause }) => areaName(cause.requirement))
    .values()
    .flatMap((own) => own.slice(0, 1));
  return [...new Set([...ofAreas, ...groups])];
}

function shortLines(groups: readonly FindingGroup[], requirements: RunRecord['requirements'], paint: Paint) {
  const sentences = new Map(requirements.map(({ id, sentence }) => [id, sentence]));
  const lines = groups.slice(0, maxLines).flatMap((group) => {
    const { cause, first, others } = group;
    const sentence = isConsequence(group)
      ? groupSentence(group)
      : `${cause.requirement}: ${sentences.get(cause.requirement) ?? first.title}`;
    return [
      `  ${shown(sentence ?? '', 240)}`,
      paint('faint', `    ${someOf([first, ...others].map((check) => shown(check.id, 120)))}`),
    ];
  });
  const more = groups.length - maxLines;
  return more > 0 ? [...lines, `  and ${more} more causes`] : lines;
}
