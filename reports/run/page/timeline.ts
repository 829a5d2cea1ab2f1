import type { ExchangeRecord } from '../../record/record.ts';
import { exchangeDetails, outcomeWord } from './exchange.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** Exchanges one after another: when each began after the first, how long it took, and what it held. */
export function timeline(exchanges: readonly ExchangeRecord[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const starts = exchanges.map(({ sentAt }) => Date.parse(sentAt));
  const first = Math.min(...starts);
  const spanMs = Math.max(
    1,
    ...exchanges.map(({ durationMs }, index) => (starts[index] ?? first) - first + durationMs),
  );
  const items = exchanges.map((exchange, index) => {
    const afterMs = (starts[index] ?? first) - first;
    const { request, caller, durationMs } = exchange;
    return markup`<li><details>
<summary><span class="when">+${timeText(afterMs)}</span>
<span class="what"><b>${request.method}</b> <code>${pathOf(request.url)}</code></span>
<span class="came">as ${caller} ${outcomeWord(exchange)} <span class="note">in ${timeText(durationMs)}</span></span>
${exchanges.length === 1 ? undefined : bar(afterMs / spanMs, durationMs / spanMs)}</summary>
${exchangeDetails(exchange)}</details></li>`;
  });
  return markup`<h4>Exchanges</h4><ol class="timeline">${items}</ol>`;
}

/** Where in the whole time an exchange lies, both as shares of it. */
function bar(from: number, share: number): Markup {
  const width = Math.max(0.5, share * 100);
  const x = Math.min(from * 100, 100 - width);
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect x="${x.toFixed(
    2,
  )}" width="${width.toFixed(2)}" height="1"/></svg>`;
}

/** A time for people, in milliseconds or seconds. */
export function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, '') || url;
}
