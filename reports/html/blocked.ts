import type { RunRecord } from '../record.ts';
import { type Markup, markup } from './markup.ts';

/** What was not exercised, by reason: what unblocks one of a reason unblocks all of them. */
export function blockedSection({ checks, requirements }: RunRecord): Markup | undefined {
  const withoutCheck = requirements.filter(({ verdict, checks: own }) => verdict === 'blocked' && own.length === 0);
  const all = [...checks.filter(({ verdict }) => verdict === 'blocked'), ...withoutCheck];
  if (all.length === 0) return undefined;
  const groups = [...Map.groupBy(all, ({ reason }) => reason ?? 'no reason was given')].map(
    ([reason, own]) => markup`<li class="reason"><p>${reason}</p>
<details><summary>${own.length} not exercised</summary>
<p class="ids">${own.map(({ id }) => markup`<code>${id}</code> `)}</p></details></li>`,
  );
  return markup`<section id="blocked" aria-labelledby="blocked-title">
<h2 id="blocked-title">Blocked <span class="count">${all.length}</span></h2>
<p class="lead">Not exercised, so neither kept nor broken. Each reason says what would unblock its checks.</p>
<ul class="plain">${groups}</ul></section>`;
}
