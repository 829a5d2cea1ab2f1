import { mark, tableHead, tableSection } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { toneSigns } from '../../text/tones.ts';
import type { LoadRecord } from '../load-record.ts';
import { factReadings, type Reading, thresholdAmount, thresholdReadings } from '../load-words.ts';

/** A word in its tone. */
export function readingMark({ word, tone }: Reading): Markup {
  return mark(`is-${tone}`, toneSigns[tone], word);
}

export function thresholdTable({ thresholds }: LoadRecord): Markup | undefined {
  if (thresholds.length === 0) return undefined;
  const rows = thresholds.map((threshold) => {
    const { text, verdict, reason } = threshold;
    return markup`<tr><td>${readingMark(thresholdReadings[verdict])}</td>
<th scope="row"><code>${text}</code>${reason === undefined ? undefined : markup`<p class="note">${reason}</p>`}</th>
<td class="number">${thresholdAmount(threshold)}</td></tr>`;
  });
  const table = markup`${tableHead(['Verdict', 'Threshold', 'Measured'], 2)}<tbody>${rows}</tbody>`;
  return tableSection({ id: 'thresholds', title: 'Thresholds' }, 'judged', table);
}

/** The anchor of an answer, by its place in the list. */
export function factAnchor(index: number): string {
  return `answer-${index + 1}`;
}

/** The answers to the profile's own question. */
export function factTable({ facts }: LoadRecord): Markup | undefined {
  if (facts.length === 0) return undefined;
  const rows = facts.map(
    ({ name, value, verdict }, index) =>
      markup`<tr id="${factAnchor(index)}"><th scope="row">${name}</th><td>${verdict && markup`${readingMark(factReadings[verdict])} `}${value}</td></tr>`,
  );
  const table = markup`${tableHead(['Question', 'Answer'])}<tbody>${rows}</tbody>`;
  return tableSection({ id: 'answers', title: 'Answers' }, 'judged', table);
}
