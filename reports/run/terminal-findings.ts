import { shown } from '../../core/text.ts';
import { areaName } from '../record/areas.ts';
import { reportedStatuses, statusOf, withStatus } from '../record/check-status.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { findingParts } from '../text/check-text.ts';
import type { Paint } from '../text/paint.ts';
import { someOf } from '../text/some-of.ts';
import { checkTones } from '../text/tones.ts';

/** Bounds the findings in full, of all statuses together, so that they fit on one screen. */
const maxInFull = 3;
/** Bounds the requirements with a line each, of each status. */
const maxLines = 20;
/** In characters. A longer curl line is in the report only. */
const maxCurl = 1500;

/** The findings on a screen, and the number of checks that only the report shows in full. */
export type TerminalFindings = { readonly blocks: readonly string[]; readonly shortened: number };

/**
 * The worst findings in full, and a line for each further requirement. One bug usually breaks related requirements on every
 * operation, so a finding from another area says more than a second one from the same area.
 */
export function terminalFindings(record: RunRecord, paint: Paint): TerminalFindings {
  const blocks: string[] = [];
  let shortened = 0;
  let left = maxInFull;
  for (const status of reportedStatuses) {
    const checks = differentFirst(withStatus(record.checks, status));
    const [inFull, rest] = [checks.slice(0, left), checks.slice(left)];
    left -= inFull.length;
    shortened += rest.length;
    blocks.push(...inFull.map((check) => finding(check, record.requirements, paint)));
    if (rest.length > 0) {
      const title = inFull.length > 0 ? `${rest.length} more ${status}` : `${rest.length} ${status}`;
      blocks.push([paint(checkTones[status], title), ...shortLines(rest, record.requirements, paint)].join('\n'));
    }
  }
  return { blocks, shortened };
}

/** A check for a terminal: the requirement, what was expected, what came, and the curl line that sends it again. */
export function finding(check: CheckRecord, requirements: RunRecord['requirements'], paint: Paint): string {
  const { curl, level } = check;
  const status = statusOf(check);
  const requirement = requirements.find(({ id }) => id === check.requirement);
  const parts = [
    ...findingParts(check),
    ...(curl === undefined ? [] : [['curl', curl.length > maxCurl ? 'too long for a screen: see the report' : curl]]),
  ];
  return [
    [
      paint(checkTones[status], status.toUpperCase()),
      paint('strong', shown(check.id, 160)),
      paint('faint', `${level}, section ${shown(requirement?.section ?? '?', 20)}`),
    ].join('  '),
    `  ${shown(requirement?.sentence ?? check.title, 500)}`,
    ...parts.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${shown(text, maxCurl)}`),
  ].join('\n');
}

/** Musts before shoulds; of each, the first of every area, then the first of every requirement. */
function differentFirst(checks: readonly CheckRecord[]): readonly CheckRecord[] {
  return (['must', 'should'] as const).flatMap((level) => {
    const own = checks.filter((check) => check.level === level);
    const ofAreas = firstsBy(own, ({ requirement }) => areaName(requirement));
    const ofRequirements = firstsBy(own, ({ requirement }) => requirement);
    return [...new Set([...ofAreas, ...ofRequirements, ...own])];
  });
}

function firstsBy(checks: readonly CheckRecord[], nameOf: (check: CheckRecord) => string): readonly CheckRecord[] {
  return [...Map.groupBy(checks, nameOf).values()].flatMap((own) => own.slice(0, 1));
}

function shortLines(checks: readonly CheckRecord[], requirements: RunRecord['requirements'], paint: Paint) {
  const sentences = new Map(requirements.map(({ id, sentence }) => [id, sentence]));
  const groups = [...Map.groupBy(checks, ({ requirement }) => requirement)];
  const lines = groups
    .slice(0, maxLines)
    .flatMap(([id, own]) => [
      `  ${shown(id, 80)}: ${shown(sentences.get(id) ?? own[0]?.title ?? '', 160)}`,
      paint('faint', `    ${someOf(own.map((check) => shown(check.id, 120)))}`),
    ]);
  const more = groups.length - maxLines;
  return more > 0 ? [...lines, `  and ${more} more requirements`] : lines;
}
