import { findingGroups, groupSentence } from '../../causes/finding-groups.ts';
import { countTile, factLine, textList, type Tile, tileRow } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { type CheckStatus, statusColumns } from '../../record/check-status.ts';
import type { RunRecord } from '../../record/record.ts';
import { resultWord, verdictSentence } from '../../record/verdict-sentence.ts';
import { waiverProblems } from '../../record/waivers.ts';
import { capitalized } from '../../text/capitalized.ts';
import { count, duration, instant, some } from '../../text/figures.ts';
import { findingAnchor } from './findings.ts';
import { type LiveRun, plannedChecks } from './live-run.ts';
import { verdictSign } from './verdict-mark.ts';

/** Bounds the causes in the heading. */
const maxBroken = 5;

/** The first screen: the verdict, the target, what broke with links to the evidence, and the facts of the run. */
export function heading(record: RunRecord, live: LiveRun | undefined): Markup {
  const { target, suite, spec, strict, only } = record;
  const result = live === undefined ? record.result : 'interrupted';
  const sentence = live === undefined ? verdictSentence(record) : soFar(record, live);
  return markup`<header class="is-${result}">
<p class="eyebrow">Conformance report</p>
<h1>${verdictSign(result)} ${live === undefined ? resultWord(record) : 'Running'}</h1>
<p class="sentence">${capitalized(sentence)}</p>
${broken(record)}
<p class="target"><strong>${target.name}</strong> <code>${target.baseUrl}</code></p>
${target.embedded && embedded(target.embedded)}</header>
${tileRow(statusColumns(record.checks).map((status) => statusTile(record, status)))}
${factLine([
  ['Started', instant(record.startedAt)],
  ['Duration', `${duration(record.durationMs)}, ${some(record.requests, 'request')}`],
  ['Suite', `${suite.name} ${suite.version}`],
  ['Specification', `${spec.title} ${spec.version}`],
  ['Seed', String(record.seed)],
  ['Strict', strict ? 'a violated should counts as failed' : undefined],
  ['Selected', only.length > 0 ? only.join(', ') : undefined],
])}
${textList('Waivers and accepted gaps out of date, which fail the run', waiverProblems(record))}
${textList('Notes', record.notes)}${textList('Faults in the suite', record.problems)}`;
}

function soFar({ checks, summary }: RunRecord, live: LiveRun): string {
  return `${count(checks.length)} of ${some(plannedChecks(live), 'check')} are over, ${count(summary.failed)} failed.`;
}

/** The causes of what failed, each with a link to its finding. */
function broken(record: RunRecord): Markup | undefined {
  const groups = findingGroups(record, 'failed');
  if (groups.length === 0) return undefined;
  const items = groups.slice(0, maxBroken).map((group) => {
    const { first } = group;
    const sentence = record.requirements.find(({ id }) => id === first.requirement)?.sentence ?? first.title;
    const also = groupSentence(group);
    const note =
      also === undefined ? first.requirement : `${first.requirement}, ${also.charAt(0).toLowerCase()}${also.slice(1)}`;
    return markup`<li><a href="#${findingAnchor(record, first)}">${sentence}</a> <span class="note">${note}</span></li>`;
  });
  const more = groups.length - maxBroken;
  return markup`<ul class="broken">${items}${more > 0 ? markup`<li><a href="#failed">and ${some(more, 'more cause')}</a></li>` : undefined}</ul>`;
}

function embedded({ faults, choices }: NonNullable<RunRecord['target']['embedded']>): Markup {
  const changes = [
    ...faults.map((fault) => `fault ${fault}`),
    ...Object.entries(choices).map((pair) => pair.join('=')),
  ];
  return markup`<p class="note">The embedded reference${changes.length === 0 ? '' : ` with ${changes.join(', ')}`}</p>`;
}

/** A link that shows only the findings with this status. Passed checks have no findings, so their link leads to the requirements. */
function statusTile({ summary }: RunRecord, status: CheckStatus): Tile {
  return countTile(summary[status] ?? 0, {
    name: markup`${verdictSign(status)} ${status}`,
    className: `is-${status}`,
    to: status === 'passed' ? 'requirements' : status,
    status,
  });
}
