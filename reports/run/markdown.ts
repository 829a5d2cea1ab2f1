import { type FindingGroup, findingGroups, groupSentence, isConsequence } from '../causes/finding-groups.ts';
import { areasOf } from '../record/areas.ts';
import { blockedReasons } from '../record/blocked-reasons.ts';
import { countStatuses, reportedStatuses, statusColumns, statusTitles, withStatus } from '../record/check-status.ts';
import { observedPoints, valueText } from '../record/observed-values.ts';
import { gapLines, waiverProblems } from '../record/waivers.ts';
import type { CheckRecord, RunRecord } from '../record/record.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { boundedMarkdown } from '../text/bounded-markdown.ts';
import { findingParts } from '../text/check-text.ts';
import { curlNote } from '../text/curl-note.ts';
import { duration } from '../text/figures.ts';
import { codeBlock, codeText, plainText } from '../text/markdown-text.ts';
import { listed } from '../text/some-of.ts';
import { usedUpMarkdown } from '../text/used-up-markdown.ts';

/** Bounds the findings under one cause. */
const maxFolded = 20;

/** In characters. A longer curl line is in the report only. */
const maxCurl = 4000;

/** A run as Markdown for a step summary: verdict, areas, findings, blocked checks, observations. */
export function renderMarkdown(record: RunRecord): string {
  const blocks = [
    ...heading(record),
    areaTable(record.checks),
    ...reportedStatuses.flatMap((status) => {
      const groups = findingGroups(record, status);
      if (groups.length === 0) return [];
      const count = groups.reduce((sum, { others }) => sum + 1 + others.length, 0);
      return [`### ${statusTitles[status]}: ${count}`, ...groups.flatMap((group) => findings(record, group))];
    }),
    ...howToSend(record),
    ...blocked(record),
    ...gaps(record),
    ...observed(record),
    ...usedUpMarkdown(record.usedUp),
  ];
  return boundedMarkdown(blocks, 'report.json');
}

function heading(record: RunRecord): readonly string[] {
  const { target, requests, durationMs, seed, suite, notes, problems } = record;
  const effort = `${requests} requests in ${duration(durationMs)}, seed ${seed}`;
  const judge = `${plainText(suite.name, 100)} ${plainText(suite.version, 40)}`;
  return [
    `## ${resultWord(record)}: ${plainText(verdictSentence(record), 1000)}`,
    `**${plainText(target.name, 200)}** ${codeText(target.baseUrl, 500)} · ${effort} · ${judge}`,
    ...[...notes, ...problems, ...waiverProblems(record)].map((note) => `> ${plainText(note, 1000)}`),
  ];
}

function areaTable(checks: readonly CheckRecord[]): string {
  const columns = statusColumns(checks);
  const row = (name: string, own: readonly CheckRecord[]) => {
    const counts = countStatuses(own);
    const cells = columns.map((status) => (counts[status] === 0 ? '' : String(counts[status])));
    return `| ${[plainText(name, 40), String(own.length), ...cells].join(' | ')} |`;
  };
  return [
    `| area | checks | ${columns.join(' | ')} |`,
    `| --- | --: | ${columns.map(() => '--:').join(' | ')} |`,
    ...areasOf(checks).map(({ name, checks: own }) => row(name, own)),
    row('all', checks),
  ].join('\n');
}

/** The first finding of a cause, and the others folded under it. */
function findings(record: RunRecord, group: FindingGroup): readonly string[] {
  const sentence = groupSentence(group);
  if (sentence === undefined) return [finding(record, group.first)];
  const others = group.others.slice(0, maxFolded).map((check) => finding(record, check));
  if (group.others.length > maxFolded) others.push(`_and ${group.others.length - maxFolded} more in report.json_`);
  const [open, inside] = isConsequence(group)
    ? [[], [finding(record, group.first), ...others]]
    : [[finding(record, group.first)], others];
  const details = [
    '<details>',
    `<summary>${plainText(sentence, 300)}</summary>`,
    '',
    inside.join('\n\n'),
    '',
    '</details>',
  ];
  return [...open, details.join('\n')];
}

function finding({ requirements }: RunRecord, check: CheckRecord): string {
  const { id, level, title, curl } = check;
  const requirement = requirements.find((candidate) => candidate.id === check.requirement);
  return [
    `**${plainText(requirement?.sentence ?? title, 500)}**  `,
    `${codeText(id, 160)}, ${level}, section ${plainText(requirement?.section ?? '?', 20)}`,
    '',
    ...findingParts(check).map(([name, text]) => `- ${name}: ${codeText(text, 2000)}`),
    ...(curl === undefined || curl.length > maxCurl ? [] : ['', codeBlock('sh', curl)]),
  ].join('\n');
}

/** What the curl lines of the findings need. */
function howToSend(record: RunRecord): readonly string[] {
  const reported = reportedStatuses.flatMap((status) => withStatus(record.checks, status));
  const note = curlNote(record, reported);
  return note === undefined ? [] : [plainText(note, 1500)];
}

function blocked(record: RunRecord): readonly string[] {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return [];
  const items = reasons.map(({ reason, ids }) => {
    const names = ids.map((id) => codeText(id, 120));
    return `- ${plainText(reason, 1000)}: ${listed(names, 10)}`;
  });
  return ['### Blocked (not exercised), by reason', items.join('\n')];
}

function gaps(record: RunRecord): readonly string[] {
  const lines = gapLines(record);
  if (lines.length === 0) return [];
  return ['### Accepted gaps (not exercised)', lines.map((line) => `- ${plainText(line, 1500)}`).join('\n')];
}

function observed({ observations }: RunRecord): readonly string[] {
  if (observations.length === 0) return [];
  const rows = observedPoints(observations).map(({ point, values }) => {
    const texts = values.slice(0, 30).map((value) => codeText(valueText(value, 20), 600));
    const rest = values.length > texts.length ? ` and ${values.length - texts.length} more` : '';
    return `| ${codeText(point, 80)} | ${texts.join('<br>')}${rest} |`;
  });
  return [
    '### Observed where the specification leaves a choice',
    ['| point | observed |', '| --- | --- |', ...rows].join('\n'),
  ];
}
