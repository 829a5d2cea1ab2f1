import { foldedIfLong, section } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { page } from '../../page/page.ts';
import { type Contents, mainMarkup } from '../../page/parts.ts';
import { style } from '../../page/style.ts';
import { blockedReasons } from '../../record/blocked-reasons.ts';
import { reportedStatuses } from '../../record/check-status.ts';
import { gapLines } from '../../record/waivers.ts';
import type { RunRecord } from '../../record/record.ts';
import { resultWord } from '../../record/verdict-sentence.ts';
import { capitalized } from '../../text/capitalized.ts';
import { some } from '../../text/figures.ts';
import { historyLines } from '../../text/history-lines.ts';
import { usedUpSection } from '../../page/used-up-section.ts';
import { areaTable } from './area-table.ts';
import { findingSection } from './findings.ts';
import { heading } from './heading.ts';
import type { LiveRun } from './live-run.ts';
import { observationTable } from './observation-table.ts';
import { requirementList } from './requirement-list.ts';
import { script } from '../../page/script.ts';

/** A run as one page that needs no other file. */
export function renderHtml(record: RunRecord): string {
  const contents = runContents(record);
  const { title, footer } = contents;
  return page({ title, style, script, skip: 'Skip to the findings', main: mainMarkup(contents), footer });
}

/** A run, finished or with `live` in progress: its record then has only the checks that are over. */
export function runContents(record: RunRecord, live?: LiveRun): Contents {
  const { format, suite, spec, target, usedUp } = record;
  const whenOver = (content: () => Markup | undefined) => (live === undefined ? content() : undefined);
  return {
    title: `${live === undefined ? resultWord(record) : 'Running'}: ${target.name}`,
    top: [{ name: 'heading', content: heading(record, live) }],
    sections: [
      ...reportedStatuses.map((status) => ({ name: status, content: findingSection(record, status) })),
      { name: 'blocked', content: blockedSection(record) },
      { name: 'history', content: historySection(record) },
      { name: 'accepted', content: acceptedSection(record) },
      { name: 'areas', content: areaTable(record, live) },
      { name: 'requirements', content: whenOver(() => requirementList(record)) },
      { name: 'observations', content: whenOver(() => observationTable(record)) },
      { name: 'used-up', content: usedUpSection(usedUp) },
    ],
    footer: markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}. Catalogue digest: <code>${spec.digest}</code>. API keys are replaced by the names of
their variables.`,
  };
}

function historySection({ history }: RunRecord): Markup | undefined {
  if (history === undefined) return undefined;
  const lines = historyLines(history);
  const lead = `${some(history.runs, 'run')} of this target. ${lines.length === 0 ? 'No requirement fails, and none changed.' : ''}`;
  return section(
    { id: 'history', title: 'History', count: lines.length, lead },
    lines.length === 0 ? [] : markup`<ul class="plain">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`,
  );
}

function acceptedSection(record: RunRecord): Markup | undefined {
  const found = gapLines(record);
  if (found.length === 0) return undefined;
  const lead = 'Not exercised, as accepted before the expiry date.';
  const head = { id: 'accepted', title: 'Accepted gaps', count: found.length, lead, status: 'accepted' };
  return section(head, markup`<ul class="plain">${found.map((line) => markup`<li class="reason">${line}</li>`)}</ul>`);
}

function blockedSection(record: RunRecord): Markup | undefined {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return undefined;
  const items = reasons.map(
    ({ reason, ids }) => markup`<li class="reason"><p>${capitalized(reason)}</p>
<details><summary>${some(ids.length, 'blocked check')}</summary>
<p class="ids">${ids.map((id) => markup`<code>${id}</code> `)}</p></details></li>`,
  );
  const count = reasons.reduce((sum, { ids }) => sum + ids.length, 0);
  const lead =
    'These checks could not be exercised, so they neither passed nor failed. Each reason says what is missing.';
  const { length } = reasons;
  const list = { label: 'Blocked', rows: '#blocked .reason', length, summary: some(length, 'reason') };
  return section(
    { id: 'blocked', title: 'Blocked', count, lead, status: 'blocked' },
    foldedIfLong(list, markup`<ul class="plain">${items}</ul>`),
  );
}
