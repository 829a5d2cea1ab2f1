import { bar } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import type { LanesRecord } from '../../record/record.ts';
import { failureSentence, lanesOf, requestLines, spanOf } from '../../text/lanes.ts';

/** The least width of a bar that can be seen, as a share of the whole. */
const leastShare = 0.006;

/** Overlapping requests that no order explains: one lane for each caller, and a line where every order fails. */
export function lanesFigure(record: LanesRecord): Markup {
  const spanMs = spanOf(record);
  const fails = { className: 'fails', from: Math.min(record.failsMs / spanMs, 1 - leastShare), share: leastShare };
  const rows = lanesOf(record).map(({ caller, requests }) => {
    const parts = requests.map(({ sentMs, answeredMs }) => {
      const share = Math.max(leastShare, (answeredMs - sentMs) / spanMs - leastShare / 2);
      return { from: Math.min(sentMs / spanMs, 1 - share), share };
    });
    const numbers = requests.map(({ number }) => number).join(', ');
    return markup`<div class="lane"><span>${caller} <span class="note">${numbers}</span></span>${bar([...parts, fails])}</div>`;
  });
  return markup`<h4>Requests that overlap</h4>
<div class="lanes">${rows}</div>
<p class="note">${failureSentence(record)}</p>
<ul class="lane-list">${requestLines(record).map((line) => markup`<li>${line}</li>`)}</ul>`;
}
