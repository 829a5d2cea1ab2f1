import { blockedReasons } from '../../record/blocked-reasons.ts';
import type { RunRecord } from '../../record/record.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** What was not exercised, and what would unblock it. */
export function blockedSection(record: RunRecord): Markup | undefined {
  const reasons = blockedReasons(record);
  if (reasons.length === 0) return undefined;
  const items = reasons.map(
    ({ reason, ids }) => markup`<li class="reason"><p>${reason}</p>
<details><summary>${ids.length} not exercised</summary>
<p class="ids">${ids.map((id) => markup`<code>${id}</code> `)}</p></details></li>`,
  );
  const count = reasons.reduce((sum, { ids }) => sum + ids.length, 0);
  return markup`<section id="blocked" aria-labelledby="blocked-title">
<h2 id="blocked-title">Blocked <span class="count">${count}</span></h2>
<p class="lead">Not exercised, so neither kept nor broken. Each reason says what would unblock its checks.</p>
<ul class="plain">${items}</ul></section>`;
}
