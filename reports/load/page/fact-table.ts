import { type Markup, markup } from '../../page/markup.ts';
import type { LoadRecord } from '../load-record.ts';
import { toneMark } from './tone-mark.ts';
import { factTones } from './verdict-tones.ts';

/** What a profile with a question of its own found out. */
export function factTable({ facts }: LoadRecord): Markup | undefined {
  if (facts.length === 0) return undefined;
  const rows = facts.map(
    ({ name, value, verdict }) =>
      markup`<tr><th scope="row">${name}</th><td>${verdict === undefined ? undefined : markup`${toneMark(factTones[verdict], verdict)} `}${value}</td></tr>`,
  );
  return markup`<section id="answers" aria-labelledby="answers-title"><h2 id="answers-title">What was found</h2>
<div class="wide" tabindex="0" role="group" aria-labelledby="answers-title"><table class="judged"><thead><tr><th scope="col">Asked</th><th scope="col">Found</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
