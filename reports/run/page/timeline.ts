import { bar } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import type { ExchangeRecord } from '../../record/record.ts';
import { duration } from '../../text/figures.ts';
import { exchangeDetails, outcomeWord } from './exchange.ts';

/** The least width of a bar that can be seen, as a share of the whole. */
const leastShare = 0.005;

/** Exchanges one after another: when each began after the first, how long it took, and its contents. */
export function timeline(exchanges: readonly ExchangeRecord[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const startMs = Math.min(...exchanges.map(({ sentAt }) => Date.parse(sentAt)));
  const timed = exchanges.map((exchange) => ({ exchange, afterMs: Date.parse(exchange.sentAt) - startMs }));
  const spanMs = Math.max(1, ...timed.map(({ exchange, afterMs }) => afterMs + exchange.durationMs));
  const items = timed.map(({ exchange, afterMs }) => {
    const { request, caller, durationMs } = exchange;
    const share = Math.max(leastShare, durationMs / spanMs);
    const from = Math.min(afterMs / spanMs, 1 - share);
    return markup`<li><details>
<summary><span class="when">+${duration(afterMs)}</span>
<span class="what"><b>${request.method}</b> <code>${pathOf(request.url)}</code></span>
<span class="came">as ${caller} ${outcomeWord(exchange)} <span class="note">in ${duration(durationMs)}</span></span>
${exchanges.length === 1 ? undefined : bar([{ from, share }])}</summary>
${exchangeDetails(exchange)}</details></li>`;
  });
  return markup`<h4>Exchanges</h4><ol class="timeline">${items}</ol>`;
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, '') || url;
}
