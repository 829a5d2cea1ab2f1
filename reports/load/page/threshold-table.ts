import { type Markup, markup } from '../../page/markup.ts';
import type { LoadRecord } from '../load-record.ts';
import { thresholdAmount } from './threshold-amount.ts';
import { toneMark } from './tone-mark.ts';
import { thresholdTones } from './verdict-tones.ts';

/** What the run had to keep to, and whether it did. */
export function thresholdTable({ thresholds }: LoadRecord): Markup | undefined {
  if (thresholds.length === 0) return undefined;
  const rows = thresholds.map((threshold) => {
    const { text, verdict, reason } = threshold;
    return markup`<tr><td>${toneMark(thresholdTones[verdict], verdict)}</td><th scope="row"><code>${text}</code>${reason === undefined ? undefined : markup`<p class="note">${reason}</p>`}</th>
<td class="number">${thresholdAmount(threshold) ?? '–'}</td></tr>`;
  });
  return markup`<section id="thresholds" aria-labelledby="thresholds-title"><h2 id="thresholds-title">Thresholds</h2>
<div class="wide" tabindex="0" role="group" aria-labelledby="thresholds-title"><table class="judged"><thead><tr><th scope="col">Verdict</th><th scope="col">Threshold</th>
<th scope="col" class="number">Measured</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
