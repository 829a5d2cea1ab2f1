import { labelled } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { difference, type Stretch } from './difference.ts';

/** What was expected beside what came; the words that differ are marked. */
export function compared(expected: string, actual: string): Markup {
  const [left, right] = difference(expected, actual);
  return markup`<div class="compared">
${labelled('Expected', markup`${left.map((stretch) => stretchMarkup(stretch, 'lost'))}`)}
${labelled('Actual', markup`${right.map((stretch) => stretchMarkup(stretch, 'gained'))}`)}</div>`;
}

function stretchMarkup({ text, differs }: Stretch, kind: 'lost' | 'gained'): Markup {
  return differs ? markup`<mark class="${kind}">${text}</mark>` : markup`${text}`;
}
