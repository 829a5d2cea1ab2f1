import { errataSentences } from '../../../spec/errata.ts';
import { currentRevision } from '../../../spec/revisions/revisions.ts';
import { section } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { reportedStatuses, statusOf } from '../../record/check-status.ts';
import { some } from '../../text/figures.ts';
import type { CheckRecord, RequirementRecord, RunRecord } from '../../record/record.ts';
import { findingAnchor } from './findings.ts';
import { verdictMark } from './verdict-mark.ts';

const verdictOrder = [
  'failed',
  'errored',
  'warned',
  'waived',
  'accepted',
  'blocked',
  'passed',
  'unselected',
  'unobservable',
] as const satisfies readonly RequirementRecord['verdict'][];

/** A longer list is folded by section. */
const longest = 30;

/** Every requirement by section, with controls that filter them. The script makes the controls visible. */
export function requirementList(record: RunRecord): Markup {
  const { requirements } = record;
  const observable = requirements.filter(({ verdict }) => verdict !== 'unobservable').length;
  const isLong = requirements.length > longest;
  const bySection = [...Map.groupBy(requirements, ({ section }) => section)].toSorted(([left], [right]) =>
    left.localeCompare(right, 'en', { numeric: true }),
  );
  const groups = bySection.map(
    ([
      number,
      own,
    ]) => markup`<details class="group"${isLong ? undefined : markup` open`}><summary><h3>${sectionName(number)} <span class="count">${amounts(own)}</span></h3></summary>
<ul class="plain">${own.map((requirement) => item(record, requirement))}</ul></details>`,
  );
  return section(
    { id: 'requirements', title: 'Requirements', count: observable },
    markup`${controls(requirements)}
${groups}
<p id="nothing-fits" class="lead" hidden>No requirement matches.</p>`,
  );
}

/** How many requirements have each verdict: `12 passed, 2 failed`. */
function amounts(requirements: readonly RequirementRecord[]): string {
  const verdicts = Map.groupBy(requirements, ({ verdict }) => verdict);
  return verdictOrder
    .flatMap((verdict) => {
      const own = verdicts.get(verdict);
      return own === undefined ? [] : [`${own.length} ${verdict}`];
    })
    .join(', ');
}

function controls(requirements: readonly RequirementRecord[]): Markup {
  const present = verdictOrder.filter((verdict) => requirements.some((requirement) => requirement.verdict === verdict));
  const boxes = present.map(
    (verdict) =>
      markup`<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${verdictMark(verdict)}</label>`,
  );
  return markup`<form id="controls" class="controls" role="search" aria-label="Requirements" hidden>
<label class="search">Search <input type="search" name="words" autocomplete="off" spellcheck="false"></label>
<label>Level <select name="level"><option value="">all</option><option>must</option><option>should</option></select></label>
<fieldset><legend>Verdict</legend>${boxes}</fieldset>
<p class="note"><output id="shown" name="shown" aria-live="polite">${allOf(requirements)}</output></p></form>`;
}

/** As the heading counts them, and how many more are listed. */
function allOf(requirements: readonly RequirementRecord[]): string {
  const hidden = requirements.filter(({ verdict }) => verdict === 'unobservable').length;
  const rest = hidden === 0 ? '' : `, and ${hidden} unobservable`;
  return `All ${some(requirements.length - hidden, 'requirement')}${rest}`;
}

function item(record: RunRecord, requirement: RequirementRecord): Markup {
  const { id, level, sentence, verdict, reason } = requirement;
  const checks = record.checks.filter((check) => requirement.checks.includes(check.id));
  const [only] = checks;
  return markup`<li class="requirement" data-verdict="${verdict}" data-level="${level}">
${verdictMark(verdict)}
<div><p class="sentence">${sentence}</p>
<p class="meta">${only === undefined || checks.length > 1 ? markup`<code>${id}</code>` : checkName(record, only)} <span>${level}</span></p>
${reason === undefined ? undefined : markup`<p class="note">${reason}</p>`}${errataNotes(id)}
${checks.length > 1 ? checkList(record, checks) : undefined}</div></li>`;
}

/** The errors of the published revision about a requirement. */
export function errataNotes(id: string): readonly Markup[] {
  return errataSentences(currentRevision.errata, id).map((line) => markup`<p class="note">${line}</p>`);
}

/** The id of a check, with a link to its finding if it has one. */
function checkName(record: RunRecord, check: CheckRecord): Markup {
  const hasFinding = reportedStatuses.some((status) => status === statusOf(check));
  const name = markup`<code>${check.id}</code>`;
  return hasFinding ? markup`<a href="#${findingAnchor(record, check)}">${name}</a>` : name;
}

function checkList(record: RunRecord, checks: readonly CheckRecord[]): Markup {
  const rows = checks.map((check) => markup`<li>${verdictMark(statusOf(check))} ${checkName(record, check)}</li>`);
  return markup`<details><summary>${checks.length} checks</summary><ul class="plain checks">${rows}</ul></details>`;
}

/** The titles of the specification's sections. A report may name other sections, which have no title here. */
const names = new Map([
  ['1', 'The service'],
  ['2', 'Resources'],
  ['2.1', 'Model'],
  ['2.2', 'Pagination'],
  ['2.3', 'Chat'],
  ['2.4', 'Message'],
  ['2.5', 'Data source'],
  ['2.6', 'Billing account'],
  ['2.7', 'Error'],
  ['3', 'States and transitions'],
  ['4', 'Endpoints'],
  ['4.1', 'List models'],
  ['4.2', 'Send a message'],
  ['4.3', 'Attach an organization'],
  ['4.4', 'Get a billing account'],
  ['4.5', 'List data sources'],
  ['4.6', 'Delete a data source'],
  ['4.7', 'Other operations'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
]);

/** A section's number, with its title where it is known. */
function sectionName(section: string): string {
  const name = names.get(section);
  return name === undefined ? section : `${section} ${name}`;
}
