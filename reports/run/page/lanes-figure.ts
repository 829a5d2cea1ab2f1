import type { LanesRecord } from '../../record/record.ts';
import { percent } from '../../text/figures.ts';
import { columns, drawLanes, failureSentence, type Lane, requestLines } from '../../text/lanes.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** The least width of a bar that can be seen, in columns. */
const leastBar = 1 / 3;

/** Overlapping requests that no order explains: lanes of each caller, and a line where every order fails. */
export function lanesFigure(record: LanesRecord): Markup {
  const { lanes, failsAt, cuts, cutSentence } = drawLanes(record);
  const marks = [
    ...cuts.map((cut) => markup`<text class="cut" x="${place(cut)}" y="20">~</text>`),
    bar('fails', { from: failsAt, until: failsAt + leastBar }),
  ];
  return markup`<h4>Requests that overlap</h4>
<div class="lanes">${lanes.map((lane) => laneRow(lane, marks))}</div>
${[failureSentence(record), ...(cutSentence === undefined ? [] : [cutSentence])].map((text) => markup`<p class="note">${text}</p>`)}
<ul class="lane-list">${requestLines(record).map((line) => markup`<li>${line}</li>`)}</ul>`;
}

function laneRow({ caller, requests }: Lane, marks: readonly Markup[]): Markup {
  const numbers = requests.map(({ number }) => number).join(', ');
  const bars = requests.map(
    (request) => markup`<text x="${place(request.from)}" y="11">${request.number}</text>${bar('request', request)}`,
  );
  return markup`<div class="lane"><span>${caller}<span class="hidden">: ${numbers}</span></span><svg aria-hidden="true">${bars}${marks}</svg></div>`;
}

/** Between two columns. The line where every order fails leaves room for the numbers above it. */
function bar(kind: 'request' | 'fails', { from, until }: { readonly from: number; readonly until: number }): Markup {
  const [y, height] = kind === 'fails' ? [14, 10] : [15, 8];
  return markup`<rect class="${kind}" x="${place(from)}" width="${place(Math.max(leastBar, until - from))}" y="${y}" height="${height}"/>`;
}

function place(column: number): string {
  return percent(column / columns, 2);
}
