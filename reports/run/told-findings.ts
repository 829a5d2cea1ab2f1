import { shown } from '../../core/text.ts';
import { areaOf } from '../record/areas.ts';
import { finding } from './finding.ts';
import type { Paint } from '../text/paint.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { someOf } from '../text/some-of.ts';
import { type Standing, standingOf } from '../record/standing.ts';
import { tones } from '../text/tones.ts';

/** Checks that are told in full, of all standings together: with them, what broke stands on one screen. */
const mostInFull = 3;
/** Requirements that get a line, of each standing. */
const mostLines = 20;

/** The standings that are told of, worst first. */
const toldStandings = ['failed', 'errored', 'warned', 'waived'] as const satisfies readonly Standing[];

/** What a terminal shows of everything that did not pass, and how many checks it leaves to the report. */
export type ToldFindings = { readonly blocks: readonly string[]; readonly shortened: number };

/**
 * The worst in full, and a line for each requirement that the others broke. One bug breaks promises that are near each other,
 * on every operation: of what is told in full, one of another area says more than a second one of the same.
 */
export function toldFindings(record: RunRecord, paint: Paint): ToldFindings {
  const blocks: string[] = [];
  let shortened = 0;
  let left = mostInFull;
  for (const standing of toldStandings) {
    const checks = differentFirst(record.checks.filter((check) => standingOf(check) === standing));
    const [inFull, rest] = [checks.slice(0, left), checks.slice(left)];
    left -= inFull.length;
    shortened += rest.length;
    blocks.push(...inFull.map((check) => finding(check, record.requirements, paint)));
    if (rest.length > 0) blocks.push(inShort(rest, standing, inFull.length > 0, paint, record.requirements));
  }
  return { blocks, shortened };
}

/** Musts before shoulds; of each, the first of every area, then the first of every requirement. */
function differentFirst(checks: readonly CheckRecord[]): readonly CheckRecord[] {
  const shoulds = checks.filter(({ level }) => level === 'should');
  return [...differentFirstOf(checks.filter((check) => !shoulds.includes(check))), ...differentFirstOf(shoulds)];
}

function differentFirstOf(checks: readonly CheckRecord[]): readonly CheckRecord[] {
  const ofAreas = firstsBy(checks, ({ requirement }) => areaOf(requirement));
  const ofRequirements = firstsBy(checks, ({ requirement }) => requirement);
  return [...new Set([...ofAreas, ...ofRequirements, ...checks])];
}

function firstsBy(checks: readonly CheckRecord[], nameOf: (check: CheckRecord) => string): readonly CheckRecord[] {
  return [...Map.groupBy(checks, nameOf).values()].flatMap((own) => own.slice(0, 1));
}

function inShort(
  checks: readonly CheckRecord[],
  standing: Standing,
  isFurther: boolean,
  paint: Paint,
  requirements: RunRecord['requirements'],
): string {
  const sentences = new Map(requirements.map(({ id, sentence }) => [id, sentence]));
  const groups = [...Map.groupBy(checks, ({ requirement }) => requirement)];
  const lines = groups
    .slice(0, mostLines)
    .flatMap(([id, own]) => [
      `  ${shown(id, 80)}: ${shown(sentences.get(id) ?? own[0]?.title ?? '', 160)}`,
      paint('faint', `    ${someOf(own.map((check) => shown(check.id, 120)))}`),
    ]);
  const more = groups.length - mostLines;
  const head = paint(tones[standing], `${isFurther ? 'Also ' : ''}${standing}: ${checks.length}`);
  return [head, ...lines, ...(more > 0 ? [`  and of ${more} more requirements`] : [])].join('\n');
}
