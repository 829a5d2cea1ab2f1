import type { RunRecord } from '../../record/record.ts';
import { shownStandings, type Standing } from '../../record/standing.ts';
import { usedUpLines } from '../../text/used-up-lines.ts';
import { resultWord, verdictSentence } from '../../record/verdict-sentence.ts';
import { waiverProblems } from '../../record/waiver-problem.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { textList } from '../../page/text-list.ts';
import { timeText } from './timeline.ts';
import { verdictSign } from './verdict-mark.ts';

/** The verdict and the target, and what a reader has to know of the run. */
export function heading(record: RunRecord): Markup {
  const { target, result } = record;
  return markup`<header class="is-${result}">
<p class="eyebrow">Conformance report</p>
<h1>${verdictSign(result)} ${resultWord(record)}</h1>
<p class="sentence">${sentence(record)}</p>
<p class="target"><strong>${target.name}</strong> <code>${target.baseUrl}</code></p>
${target.embedded && embedded(target.embedded)}</header>
<div class="tiles">${shownStandings(record.checks).map((verdict) => tile(record, verdict))}</div>
<dl class="facts">${facts(record)}</dl>
${textList('Waivers out of date: for these the run fails', waiverProblems(record))}
${textList('Notes', record.notes)}${textList('Used up', record.usedUp === undefined ? [] : usedUpLines(record.usedUp))}${textList('Faults of the suite', record.problems)}`;
}

function sentence(record: RunRecord): string {
  const text = verdictSentence(record);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function embedded({ faults, choices }: NonNullable<RunRecord['target']['embedded']>): Markup {
  const changes = [
    ...faults.map((fault) => `fault ${fault}`),
    ...Object.entries(choices).map((pair) => pair.join('=')),
  ];
  return markup`<p class="note">The embedded reference${changes.length === 0 ? '' : ` with ${changes.join(', ')}`}</p>`;
}

/** Leads to where these checks are told; those that passed are found among the requirements. */
function tile({ summary }: RunRecord, verdict: Standing): Markup {
  const count = summary[verdict];
  const text = markup`<b>${count}</b> <span>${verdictSign(verdict)} ${verdict}</span>`;
  if (count === 0) return markup`<span class="tile none">${text}</span>`;
  return markup`<a class="tile is-${verdict}" href="#${verdict === 'passed' ? 'requirements' : verdict}">${text}</a>`;
}

function facts(record: RunRecord): readonly Markup[] {
  const { suite, spec, seed, strict, only, startedAt, durationMs, requests } = record;
  const rows: readonly (readonly [string, string])[] = [
    ['Started', `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`],
    ['Took', `${timeText(durationMs)}, ${requests.toLocaleString('en')} requests`],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Judged by', `${spec.title} ${spec.version}`],
    ['Seed', String(seed)],
    ...(strict ? [['Strict', 'a violated should counts as failed'] as const] : []),
    ...(only.length > 0 ? [['Selected', only.join(', ')] as const] : []),
  ];
  return rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}
