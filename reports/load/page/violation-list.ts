import { compared } from '../../run/page/compared.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { timeline } from '../../run/page/timeline.ts';
import type { LoadRecord } from '../load-record.ts';
import { toneClass, toneMark } from './tone-mark.ts';

/** The promises that answers broke under load, with exchanges that show it. */
export function violationList({ violations, validation }: LoadRecord): Markup | undefined {
  if (violations.length === 0) return undefined;
  return markup`<section id="violations" aria-labelledby="violations-title">
<h2 id="violations-title">Violations <span class="count">${violations.length}</span></h2>
<p class="lead">Promises of the specification that answers broke: ${validation.broken.toLocaleString('en')} of ${validation.checked.toLocaleString('en')} that were checked.</p>
${violations.map(violationMarkup)}</section>`;
}

function violationMarkup({ rule, sentence, operation, count, proofs }: LoadRecord['violations'][number]): Markup {
  const shown = proofs.map(
    ({ expected, actual, exchange }) => markup`${compared(expected, actual)}${timeline([exchange])}`,
  );
  return markup`<details class="finding ${toneClass('bad')}"><summary><h3>${sentence}</h3>
<span class="meta">${toneMark('bad', 'violated')} <code>${rule}</code> <span>by ${count.toLocaleString('en')} answers of ${operation}</span></span></summary>
<div class="inside">${shown}</div></details>`;
}
