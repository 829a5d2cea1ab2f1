import { shown } from '../harness/text.ts';
import { areasOf } from './areas.ts';
import { blockedReasons } from './blocked-reasons.ts';
import { countStandings } from './count-standings.ts';
import { finding } from './finding.ts';
import { groupOutcomes, outcomeText } from './group-outcomes.ts';
import { type Paint, painter } from './paint.ts';
import type { CheckRecord, RunRecord } from './record.ts';
import { shownStandings, type Standing, standingOf } from './standing.ts';
import { resultTones, tones } from './tones.ts';
import { resultWord, verdictSentence } from './verdict-sentence.ts';
import { usedUpLines } from './used-up-lines.ts';
import { waiverProblems } from './waiver-problem.ts';

/** Failures that are told in full; further ones get a line each. */
const maxTold = 15;
const maxListed = 60;

/** A run on one screen: counts by area, what failed, what was blocked, what was observed, and the verdict as last line. */
export function renderTerminal(record: RunRecord, { color }: { readonly color: boolean }): string {
  const paint = painter(color);
  const { suite, target, seed } = record;
  const heading = `${suite.name} ${suite.version} · ${target.name} · ${target.baseUrl} · seed ${seed}`;
  const blocks = [
    paint('strong', shown(heading, 400)),
    table(record, paint),
    ...told(record, 'failed', paint),
    ...told(record, 'errored', paint),
    ...told(record, 'warned', paint),
    ...told(record, 'waived', paint),
    blocked(record, paint),
    observed(record, paint),
    used(record, paint),
    [...record.notes, ...record.problems, ...waiverProblems(record)].map((note) => `! ${shown(note, 1000)}`).join('\n'),
    verdictLine(record, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
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

/** Every check of that verdict: the first in full, then a line each, then their number. */
function told(record: RunRecord, verdict: Standing, paint: Paint): readonly string[] {
  const checks = record.checks.filter((check) => standingOf(check) === verdict);
  const inFull = checks.slice(0, maxTold).map((check) => finding(check, record.requirements, paint));
  const listed = checks.slice(maxTold, maxTold + maxListed).map((check) => `  ${shown(check.title, 160)}`);
  const left = checks.length - maxTold - maxListed;
  if (left > 0) listed.push(`  and ${left} more`);
  return listed.length === 0 ? inFull : [...inFull, [paint(tones[verdict], `Also ${verdict}`), ...listed].join('\n')];
}

function blocked(record: RunRecord, paint: Paint): string {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return '';
  const lines = reasons.flatMap(({ reason, ids }) => [
    `  ${shown(reason, 400)}`,
    paint('faint', `    ${someOf(ids.map((id) => shown(id, 120)))}`),
  ]);
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

/** As many as stand in a line, and the number of the rest. */
function someOf(texts: readonly string[], most = 150): string {
  let line = texts[0] ?? '';
  for (const [index, text] of texts.entries()) {
    if (index === 0) continue;
    if (line.length + text.length > most) return `${line} and ${texts.length - index} more`;
    line += `, ${text}`;
  }
  return line;
}

function verdictLine(record: RunRecord, paint: Paint): string {
  const { requests, durationMs, result } = record;
  const verdict = paint(
    waiverProblems(record).length > 0 ? 'bad' : resultTones[result],
    `${resultWord(record)}: ${verdictSentence(record)}`,
  );
  return `${verdict} ${paint('faint', `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`)}`;
}
