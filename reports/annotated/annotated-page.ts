import { catalogue } from '../../spec/catalogue.ts';
import { openPoints } from '../../spec/open-points.ts';
import { mark, section } from '../page/elements.ts';
import { type Markup, markup } from '../page/markup.ts';
import { page } from '../page/page.ts';
import { style } from '../page/style.ts';
import { worstFirst } from '../record/check-status.ts';
import type { RequirementRecord, RunRecord } from '../record/record.ts';
import { errataNotes } from '../run/page/requirement-list.ts';
import { verdictMark } from '../run/page/verdict-mark.ts';
import { coverageOf } from './coverage.ts';
import type { Block, Sentence } from './split.ts';

/** What guards a requirement: the ids of its checks, and the faults that they catch, each in a sentence. */
export type Guards = { readonly checks: readonly string[]; readonly faults: readonly string[] };

type Shown = {
  readonly blocks: readonly Block[];
  readonly guardsOf: (requirement: string) => Guards;
  readonly record?: RunRecord | undefined;
};

type Verdict = RequirementRecord['verdict'];

const worstVerdictFirst = [...worstFirst, 'unselected', 'unobservable'] as const satisfies readonly Verdict[];

const ownStyle = `
.said { margin-top: .4rem; }
.said li { margin-top: .2rem; }
#content > h3 { margin-top: 1.75rem; }
div.said, .said > :first-child:is(td, th) { border-left: .25rem solid var(--tone, var(--line)); }
.said > :is(td, th) { overflow-wrap: break-word; }
`;

/** The specification as a page: under each sentence, what the suite has for it. */
export function renderAnnotated({ blocks, guardsOf, record }: Shown): string {
  const verdicts = new Map(record?.requirements.map(({ id, verdict }) => [id, verdict]));
  const said = blocks.map((block) => blockMarkup(block, verdicts));
  const items = catalogue.map(({ id, level, sentence, unobservable }) => {
    const { checks, faults } = guardsOf(id);
    return markup`<li id="${id}" class="reason"><h3><code>${id}</code> ${level}</h3><p>${sentence}</p>
${unobservable === undefined ? undefined : markup`<p class="note">No caller can observe it. ${unobservable}</p>`}${errataNotes(id)}
${folded('checks', checks)}${folded('faults that they catch', faults)}</li>`;
  });
  return page({
    title: 'Annotated specification',
    style: style + ownStyle,
    skip: 'Skip to the text',
    main: markup`<header><h1>Annotated specification</h1>${
      record === undefined ? undefined : markup`<p class="target">Verdicts: <strong>${record.target.name}</strong></p>`
    }</header><div id="content" tabindex="-1">${said}
${section({ id: 'requirements', title: 'Requirements', count: catalogue.length }, markup`<ul class="plain">${items}</ul>`)}</div>`,
    footer: markup`The text is that of the file; requirements, checks and faults are those of the suite.`,
  });
}

function folded(what: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  return markup`<details><summary>${texts.length} ${what}</summary><ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul></details>`;
}

function blockMarkup(block: Block, verdicts: ReadonlyMap<string, Verdict>): Markup {
  switch (block.kind) {
    case 'heading': {
      const { text } = block.sentence;
      const notes = coverageOf(block.sentence) === undefined ? uncovered() : undefined;
      return block.level < 3 ? markup`<h2>${text} ${notes}</h2>` : markup`<h3>${text} ${notes}</h3>`;
    }
    case 'prose':
      return markup`${block.sentences.map(
        (one) =>
          markup`<div class="reason said ${toneOf(one, verdicts)}"><p>${one.text}</p>${notesOf(one, verdicts)}</div>`,
      )}`;
    case 'table': {
      const rows = block.rows.map(({ cells, sentence }, index) => {
        const columns = cells.map((cell) =>
          index === 0 ? markup`<th scope="col">${cell}</th>` : markup`<td>${cell}</td>`,
        );
        return markup`<tr class="said ${toneOf(sentence, verdicts)}">${columns}<td>${notesOf(sentence, verdicts)}</td></tr>`;
      });
      return markup`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><tbody>${rows}</tbody></table></div>`;
    }
  }
}

function toneOf(sentence: Sentence, verdicts: ReadonlyMap<string, Verdict>): string {
  const covers = coverageOf(sentence);
  if (covers === undefined) return 'is-failed';
  const own = new Set(covers.map((cover) => verdicts.get(cover)));
  const worst = worstVerdictFirst.find((verdict) => own.has(verdict));
  return worst === undefined ? '' : `is-${worst}`;
}

function uncovered(): Markup {
  return mark('is-failed', '✗', 'uncovered');
}

function notesOf(sentence: Sentence, verdicts: ReadonlyMap<string, Verdict>): Markup {
  const covers = coverageOf(sentence);
  if (covers === undefined) return uncovered();
  const notes = covers.filter((cover) => cover !== 'about: heading' && cover !== 'about: prose');
  if (notes.length === 0) return markup``;
  return markup`<ul class="plain note">${notes.map((cover) => noteOf(cover, verdicts.get(cover)))}</ul>`;
}

function noteOf(cover: string, verdict: Verdict | undefined): Markup {
  const point = openPoints.find((candidate) => cover === `open: ${candidate.point}`);
  if (point !== undefined) return markup`<li>Open: <code>${point.point}</code> ${point.sentence}</li>`;
  if (cover.startsWith('unobservable: ')) return markup`<li>No caller can observe it. ${cover.slice(14)}</li>`;
  if (cover.startsWith('about: ')) return markup`<li>${cover.slice(7)}</li>`;
  return markup`<li>${verdict === undefined ? undefined : verdictMark(verdict)} <a href="#${cover}"><code>${cover}</code></a></li>`;
}
