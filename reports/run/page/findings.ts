import { type FindingGroup, findingGroups, groupSentence, isConsequence } from '../../causes/finding-groups.ts';
import { labelled, longText, section } from '../../page/elements.ts';
import { lines, type Markup, markup } from '../../page/markup.ts';
import { type reportedStatuses, statusOf, statusTitles } from '../../record/check-status.ts';
import type { CheckRecord, RunRecord } from '../../record/record.ts';
import { waiverSentence } from '../../record/waivers.ts';
import { checkNote } from '../../text/curl-note.ts';
import { compared } from './compared.ts';
import { lanesFigure } from './lanes-figure.ts';
import { timeline } from './timeline.ts';
import { verdictMark } from './verdict-mark.ts';

/** Findings of a section that are open from the start. */
const maxOpen = 8;

const leads = {
  failed: 'The deployment violates the requirement.',
  errored: 'The deployment gave no usable answer, or the suite itself failed.',
  warned: 'Legal, but not what a careful implementation does.',
  waived: 'A known violation: it does not fail the run before the expiry date.',
} as const;

/** The anchor of the finding of a check. Not made from its id, which may hold any text. */
export function findingAnchor(record: RunRecord, check: CheckRecord): string {
  return `finding-${record.checks.indexOf(check) + 1}`;
}

/** The findings with one status; nothing where there are none. */
export function findingSection(record: RunRecord, status: (typeof reportedStatuses)[number]): Markup | undefined {
  const groups = findingGroups(record, status);
  if (groups.length === 0) return undefined;
  const count = groups.reduce((sum, { others }) => sum + 1 + others.length, 0);
  const head = { id: status, title: statusTitles[status], count, lead: leads[status], status };
  return section(
    head,
    groups.map((group, index) => findings(record, group, index < maxOpen)),
  );
}

/** The first finding of a cause, and the others folded under it. */
function findings(record: RunRecord, group: FindingGroup, isOpen: boolean): Markup {
  const { first, others } = group;
  const sentence = groupSentence(group);
  if (sentence === undefined) return finding(record, first, isOpen);
  const isFolded = isConsequence(group);
  const inside = [...(isFolded ? [first] : []), ...others].map((check) => finding(record, check, false));
  return markup`${isFolded ? undefined : finding(record, first, isOpen)}
<details class="consequences"><summary>${sentence}</summary>
<div class="inside">${inside}</div></details>`;
}

function finding(record: RunRecord, check: CheckRecord, isOpen: boolean): Markup {
  const requirement = record.requirements.find(({ id }) => id === check.requirement);
  const { counterexample, lanes, reason, curl, waived, expected, actual } = check;
  const status = statusOf(check);
  const where = `${check.level}, section ${requirement?.section ?? '?'}, ${check.operation}`;
  return markup`<details class="finding is-${status}"${isOpen ? markup` open` : undefined}>
<summary><h3>${requirement?.sentence ?? check.title}</h3>
<span class="meta">${verdictMark(status)} <code>${check.id}</code> <span>${where}</span></span></summary>
<div class="inside" id="${findingAnchor(record, check)}">
${reason === undefined ? undefined : labelled('Reason', reason)}
${waived && labelled('Waiver', waiverSentence(waived))}
${expected === undefined || actual === undefined ? undefined : compared(expected, actual)}
${lanes && lanesFigure(lanes)}
${counterexample && smallestInput(counterexample)}
${curl === undefined ? undefined : curlBlock(curl, checkNote(record, check))}
${timeline(check.exchanges)}</div></details>`;
}

function smallestInput({ seed, path, values }: NonNullable<CheckRecord['counterexample']>): Markup {
  return markup`<h4>Smallest failing input</h4>
${longText('Smallest failing input', lines(values))}
<p class="note">Found with seed ${seed}, path <code>${path}</code></p>`;
}

function curlBlock(curl: string, note: string | undefined): Markup {
  return markup`<div class="curl"><h4>Send the last request again</h4>
<button type="button" class="copy" hidden>Copy</button>
${longText('Shell command', lines(curl))}
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}</div>`;
}
