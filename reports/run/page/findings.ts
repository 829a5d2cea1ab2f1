import type { CheckRecord, RunRecord, Waiver } from '../../record/record.ts';
import { type Standing, standingOf } from '../../record/standing.ts';
import { compared } from './compared.ts';
import { labelled } from '../../page/labelled.ts';
import { lines, type Markup, markup } from '../../page/markup.ts';
import { timeline } from './timeline.ts';
import { verdictMark } from './verdict-mark.ts';

/** So many are open from the start; a reader of a run in which everything fails opens the others. */
const maxOpen = 8;

/** The anchor of a check that has a finding; the record's own ids may hold anything. */
export function findingAnchor(record: RunRecord, check: CheckRecord): string {
  return `finding-${record.checks.indexOf(check) + 1}`;
}

/** The standings of checks that are told in full, worst first. */
export const told = ['failed', 'errored', 'warned', 'waived'] as const satisfies readonly Standing[];

const titles: Readonly<Record<(typeof told)[number], string>> = {
  failed: 'Failed',
  errored: 'No verdict',
  warned: 'Warned',
  waived: 'Waived',
};

const explanations: Readonly<Record<(typeof told)[number], string>> = {
  failed: 'A promise of the specification was seen broken.',
  errored: 'The deployment gave no usable answer, or the suite itself failed.',
  warned: 'Legal, but not what a careful implementation would do.',
  waived: 'A promise was seen broken, and somebody answers for it until a day. It does not make the run fail.',
};

/** What went wrong, check by check. */
export function findings(record: RunRecord): readonly Markup[] {
  return told.flatMap((verdict) => {
    const checks = record.checks.filter((check) => standingOf(check) === verdict);
    if (checks.length === 0) return [];
    return [
      markup`<section id="${verdict}" aria-labelledby="${verdict}-title">
<h2 id="${verdict}-title">${titles[verdict]} <span class="count">${checks.length}</span></h2>
<p class="lead">${explanations[verdict]}</p>
${checks.map((check, index) => finding(record, check, index < maxOpen))}</section>`,
    ];
  });
}

function finding(record: RunRecord, check: CheckRecord, isOpen: boolean): Markup {
  const requirement = record.requirements.find(({ id }) => id === check.requirement);
  const { counterexample, reason, curl, waived, expected, actual } = check;
  const standing = standingOf(check);
  const where = `${check.level}, section ${requirement?.section ?? '?'}, ${check.operation}`;
  return markup`<details class="finding is-${standing}"${isOpen ? markup` open` : undefined}>
<summary><h3>${requirement?.sentence ?? check.title}</h3>
<span class="meta">${verdictMark(standing)} <code>${check.id}</code> <span>${where}</span></span></summary>
<div class="inside" id="${findingAnchor(record, check)}">
${reason === undefined ? undefined : labelled('Reason', markup`${reason}`)}
${waived && excuse(waived)}
${expected === undefined || actual === undefined ? undefined : compared(expected, actual)}
${counterexample && shrunk(counterexample)}
${curl === undefined ? undefined : curlBlock(curl)}
${timeline(check.exchanges)}</div></details>`;
}

function excuse({ reason, owner, link, expires }: Waiver): Markup {
  const who = markup`<span class="note">${owner}, until ${expires}, <code>${link}</code></span>`;
  return markup`<div class="excuse">${labelled('Waiver', markup`${reason} ${who}`)}</div>`;
}

function shrunk({ seed, path, values }: NonNullable<CheckRecord['counterexample']>): Markup {
  return markup`<h4>Smallest counterexample</h4>
<pre class="long" tabindex="0" role="group" aria-label="Smallest counterexample">${lines(values)}</pre>
<p class="note">Found with seed ${seed}, path <code>${path}</code></p>`;
}

function curlBlock(curl: string): Markup {
  return markup`<div class="curl"><h4>Send the last one again</h4>
<button type="button" class="copy" hidden>Copy</button>
<pre class="long" tabindex="0" role="group" aria-label="Line for a shell">${lines(curl)}</pre></div>`;
}
