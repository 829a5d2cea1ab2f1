import { areasOf } from '../record/areas.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import { boundedMarkdown } from '../text/bounded-markdown.ts';
import { countStandings } from '../record/count-standings.ts';
import { groupOutcomes, outcomeText } from '../record/group-outcomes.ts';
import { codeBlock, codeText, plainText } from '../text/markdown-text.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { shownStandings, type Standing, standingOf } from '../record/standing.ts';
import { usedUpLines } from '../text/used-up-lines.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { waiverProblems } from '../record/waiver-problem.ts';
import { waiverSentence } from '../record/waiver-sentence.ts';

/** A longer line of curl stands in the report only, in characters. */
const maxCurl = 4000;

/** A run as Markdown for a summary of a step: the verdict, the areas, what failed, what was blocked, what was observed. */
export function renderMarkdown(record: RunRecord): string {
  const blocks = [
    ...heading(record),
    areaTable(record.checks),
    ...told(record, 'failed', 'Failed'),
    ...told(record, 'errored', 'No verdict'),
    ...told(record, 'warned', 'Warned'),
    ...told(record, 'waived', 'Waived'),
    ...blocked(record),
    ...observed(record),
  ];
  return boundedMarkdown(blocks, 'report.json');
}

function heading(record: RunRecord): readonly string[] {
  const { target, requests, durationMs, seed, suite, notes, problems } = record;
  const effort = `${requests} requests in ${(durationMs / 1000).toFixed(1)} s, seed ${seed}`;
  const used = record.usedUp === undefined ? [] : usedUpLines(record.usedUp).map((line) => `Used up: ${line}`);
  const judge = `${plainText(suite.name, 100)} ${plainText(suite.version, 40)}`;
  return [
    `## ${resultWord(record)}: ${plainText(verdictSentence(record), 1000)}`,
    `**${plainText(target.name, 200)}** ${codeText(target.baseUrl, 500)} · ${effort} · ${judge}`,
    ...[...notes, ...problems, ...waiverProblems(record), ...used].map((note) => `> ${plainText(note, 1000)}`),
  ];
}

function areaTable(checks: readonly CheckRecord[]): string {
  const columns = shownStandings(checks);
  const row = (name: string, own: readonly CheckRecord[]) => {
    const counts = countStandings(own);
    const cells = columns.map((verdict) => (counts[verdict] === 0 ? '' : String(counts[verdict])));
    return `| ${[plainText(name, 40), String(own.length), ...cells].join(' | ')} |`;
  };
  return [
    `| area | checks | ${columns.join(' | ')} |`,
    `| --- | --: | ${columns.map(() => '--:').join(' | ')} |`,
    ...areasOf(checks).map(({ name, checks: own }) => row(name, own)),
    row('all', checks),
  ].join('\n');
}

function told(record: RunRecord, standing: Standing, title: string): readonly string[] {
  const checks = record.checks.filter((check) => standingOf(check) === standing);
  if (checks.length === 0) return [];
  return [`### ${title}: ${checks.length}`, ...checks.map((check) => finding(record, check))];
}

function finding({ requirements }: RunRecord, check: CheckRecord): string {
  const requirement = requirements.find(({ id }) => id === check.requirement);
  const { expected, actual, reason, counterexample, curl, waived } = check;
  const values: readonly (readonly [string, string | undefined])[] = [
    ['Waiver', waived && waiverSentence(waived)],
    ['Expected', expected],
    ['Actual', actual],
    ['Reason', reason],
    ['Smallest counterexample', counterexample?.values],
  ];
  const items = values.flatMap(([name, text]) => (text === undefined ? [] : [`- ${name}: ${codeText(text, 2000)}`]));
  const where = `${check.level}, section ${plainText(requirement?.section ?? '?', 20)}`;
  return [
    `**${plainText(requirement?.sentence ?? check.title, 500)}**  `,
    `${codeText(check.id, 160)}, ${where}`,
    '',
    ...items,
    ...(curl === undefined || curl.length > maxCurl ? [] : ['', codeBlock('sh', curl)]),
  ].join('\n');
}

function blocked(record: RunRecord): readonly string[] {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return [];
  const items = reasons.map(({ reason, ids }) => {
    const names = ids.slice(0, 10).map((id) => codeText(id, 120));
    const rest = ids.length > names.length ? ` and ${ids.length - names.length} more` : '';
    return `- ${plainText(reason, 1000)}: ${names.join(', ')}${rest}`;
  });
  return ['### Blocked, by what would unblock it', items.join('\n')];
}

function observed({ observations }: RunRecord): readonly string[] {
  if (observations.length === 0) return [];
  const rows = [...Map.groupBy(observations, ({ point }) => point)].map(([point, own]) => {
    const outcomes = groupOutcomes(own, ({ value }) => value);
    const values = outcomes.slice(0, 30).map((outcome) => codeText(outcomeText(outcome, 20), 600));
    const rest = outcomes.length > values.length ? ` and ${outcomes.length - values.length} more` : '';
    return `| ${codeText(point, 80)} | ${values.join('<br>')}${rest} |`;
  });
  const head = '| point | observed |\n| --- | --- |';
  return ['### Observed, where the specification leaves it open', [head, ...rows].join('\n')];
}
