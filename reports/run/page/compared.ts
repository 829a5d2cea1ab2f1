import { difference, type Stretch } from './difference.ts';
import { labelled } from '../../page/labelled.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** What was expected beside what came, with the words marked that differ. */
export function compared(expected: string, actual: string): Markup {
  const [left, right] = difference(expected, actual);
  return markup`<div class="compared">
${labelled('Expected', markup`${left.map((stretch) => stretchMarkup(stretch, 'lost'))}`)}
${labelled('Actual', markup`${right.map((stretch) => stretchMarkup(stretch, 'gained'))}`)}</div>`;
}

function stretchMarkup({ text, differs }: Stretch, kind: 'lost' | 'gained'): Markup {
  return differs ? markup`<mark class="${kind}">${text}</mark>` : markup`${text}`;
}
