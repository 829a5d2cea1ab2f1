import type { ObservationRecord, RunRecord } from '../record.ts';
import { exchangeDetails } from './exchange.ts';
import { type Markup, markup } from './markup.ts';

/** What the deployment chose where the specification leaves it open. */
export function observationTable({ observations }: RunRecord): Markup | undefined {
  if (observations.length === 0) return undefined;
  const rows = [...Map.groupBy(observations, ({ point }) => point)].map(
    ([point, own]) => markup`<tr><th scope="row"><code>${point}</code></th><td>
<ul class="plain values">${own.map((observation) => value(observation))}</ul></td></tr>`,
  );
  return markup`<section id="observations" aria-labelledby="observations-title">
<h2 id="observations-title">Observations <span class="count">${rows.length}</span></h2>
<p class="lead">Facts about this deployment where the specification leaves a choice. None of them is judged.</p>
<table class="observations"><thead><tr><th scope="col">Point</th><th scope="col">Observed</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function value({ point, value: text, exchange }: ObservationRecord): Markup {
  if (exchange === undefined) return markup`<li class="value">${text}</li>`;
  return markup`<li><details class="evidence"><summary><span class="value">${text}</span>
<span class="hidden">, the exchange that shows ${point}</span></summary>${exchangeDetails(exchange)}</details></li>`;
}
