import { join } from 'node:path';
import { shown } from '../../core/text.ts';
import { areasOf } from '../record/areas.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import { countStandings } from '../record/count-standings.ts';
import { groupOutcomes, outcomeText } from '../record/group-outcomes.ts';
import { type Paint, painter } from '../text/paint.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { someOf } from '../text/some-of.ts';
import { shownStandings } from '../record/standing.ts';
import { toldFindings } from './told-findings.ts';
import { resultTones, tones } from '../text/tones.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { usedUpLines } from '../text/used-up-lines.ts';
import { waiverProblems } from '../record/waiver-problem.ts';

/** Reasons that are told where something broke: they are not what the reader looks for first. */
const mostReasonsBesideBroken = 8;

export type TerminalOptions = {
  readonly color: boolean;
  /** The folder that report.json is written to, if it is. */
  readonly out?: string | undefined;
};

/**
 * A run on one screen: counts by area, what failed, what was blocked, what was observed, and the verdict as last line. Where
 * something broke, that is told, and what would push it off the screen is left to the report.
 */
export function renderTerminal(record: RunRecord, { color, out }: TerminalOptions): string {
  const paint = painter(color);
  const { suite, target, seed, summary } = record;
  const isBroken = summary.failed + summary.errored > 0;
  const { blocks: findings, shortened } = toldFindings(record, paint);
  const heading = `${suite.name} ${suite.version} · ${target.name} · ${target.baseUrl} · seed ${seed}`;
  const blocks = [
    paint('strong', shown(heading, 400)),
    table(record, paint),
    ...findings,
    blocked(record, isBroken ? mostReasonsBesideBroken : Number.POSITIVE_INFINITY, paint),
    isBroken ? '' : observed(record, paint),
    used(record, paint),
    elsewhere(isBroken ? record.observations : [], shortened, out),
    [...record.notes, ...record.problems, ...waiverProblems(record)].map((note) => `! ${shown(note, 1000)}`).join('\n'),
    verdictLine(record, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Where all that is not on the screen stands. */
function elsewhere(observations: RunRecord['observations'], shortened: number, out: string | undefined): string {
  const points = new Set(observations.map(({ point }) => point)).size;
  const left = [
    ...(shortened === 0 ? [] : [`${shortened} more with exchange and curl line`]),
    ...(points === 0 ? [] : [`what was observed at ${points} open ${points === 1 ? 'point' : 'points'}`]),
  ];
  if (left.length === 0) return '';
  if (out === undefined) return `Not here: ${left.join(', and ')}. --out DIR keeps all of it.`;
  const path = shown(join(out, 'report.json'), 400);
  return `Not here, but in ${path}: ${left.join(', and ')}. As a page: awc report ${path} --format html`;
}

function table({ checks }: RunRecord, paint: Paint): string {
  const columns = shownStandings(checks);
  const row = (name: string, own: readonly CheckRecord[]) => {
    const counts = countStandings(own);
    const cells = columns.map((verdict) => {
      const cell = (counts[verdict] === 0 ? '·' : String(counts[verdict])).padStart(9);
      return paint(counts[verdict] === 0 ? 'faint' : tones[verdict], cell);
    });
    return [`  ${shown(name, 40).padEnd(14)}`, String(own.length).padStart(7), ...cells].join('');
  };
  const head = [`  ${'area'.padEnd(14)}`, 'checks'.padStart(7), ...columns.map((name) => name.padStart(9))];
  const areas = areasOf(checks);
  const sum = areas.length > 1 ? [row('all', checks)] : [];
  return [paint('faint', head.join('')), ...areas.map(({ name, checks: own }) => row(name, own)), ...sum].join('\n');
}

function blocked(record: RunRecord, most: number, paint: Paint): string {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return '';
  const lines = reasons
    .slice(0, most)
    .flatMap(({ reason, ids }) => [
      `  ${shown(reason, 400)}`,
      paint('faint', `    ${someOf(ids.map((id) => shown(id, 120)))}`),
    ]);
  if (reasons.length > most) lines.push(`  and ${reasons.length - most} more reasons`);
  return [paint('doubtful', `Blocked, by what would unblock it`), ...lines].join('\n');
}

function observed({ observations }: RunRecord, paint: Paint): string {
  if (observations.length === 0) return '';
  const lines = [...Map.groupBy(observations, ({ point }) => point)].map(([point, own]) => {
    const outcomes = groupOutcomes(own, ({ value }) => value);
    const mostNames = Math.max(1, Math.floor(4 / outcomes.length));
    const values = someOf(outcomes.map((outcome) => shown(outcomeText(outcome, mostNames), 120)));
    return `  ${shown(point, 40).padEnd(26)} ${values}`;
  });
  return [paint('strong', 'Observed, where the specification leaves it open'), ...lines].join('\n');
}

function used({ usedUp }: RunRecord, paint: Paint): string {
  const lines = usedUp === undefined ? [] : usedUpLines(usedUp);
  return lines.length === 0 ? '' : [paint('strong', 'Used up'), ...lines.map((line) => `  ${line}`)].join('\n');
}

function verdictLine(record: RunRecord, paint: Paint): string {
  const { requests, durationMs, result } = record;
  const verdict = paint(
    waiverProblems(record).length > 0 ? 'bad' : resultTones[result],
    `${resultWord(record)}: ${verdictSentence(record)}`,
  );
  return `${verdict} ${paint('faint', `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`)}`;
}
