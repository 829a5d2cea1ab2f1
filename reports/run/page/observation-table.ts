import { openPoints } from '../../../spec/open-points.ts';
import type { ObservationRecord, RunRecord } from '../../record/record.ts';
import { groupOutcomes, type Outcome } from '../../record/group-outcomes.ts';
import { exchangeDetails } from './exchange.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** What the deployment chose where the specification leaves it open. */
export function observationTable({ observations }: RunRecord): Markup | undefined {
  if (observations.length === 0) return undefined;
  const rows = [...Map.groupBy(observations, ({ point }) => point)].map(
    ([point, own]) => markup`<tr><th scope="row"><code>${point}</code>${sentenceOf(point)}</th><td>
<ul class="plain values">${groupOutcomes(own, ({ value }) => value).map(outcomeItem)}</ul></td></tr>`,
  );
  return markup`<section id="observations" aria-labelledby="observations-title">
<h2 id="observations-title">Observations <span class="count">${rows.length}</span></h2>
<p class="lead">Facts about this deployment where the specification leaves a choice. None of them is judged.</p>
<table class="observations"><thead><tr><th scope="col">Point</th><th scope="col">Observed</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

/** What is open there, as far as this version of the catalogue knows the point. */
function sentenceOf(point: string): Markup | undefined {
  const known = openPoints.find((candidate) => candidate.point === point);
  return known && markup`<p class="note">${known.sentence}</p>`;
}

/** Cases with one outcome stand under it, each with what shows it. */
function outcomeItem({ outcome, seen }: Outcome<ObservationRecord>): Markup {
  const [first] = seen;
  if (first !== undefined && seen.length === 1) return value(first.of.value, first.of);
  return markup`<li><details class="cases"><summary><span class="value">${outcome}</span> <span class="note">in ${
    seen.length
  } cases</span></summary>
<ul class="plain values">${seen.map(({ name, of }) => value(name ?? of.value, of))}</ul></details></li>`;
}

function value(text: string, { point, exchange }: ObservationRecord): Markup {
  if (exchange === undefined) return markup`<li class="value">${text}</li>`;
  return markup`<li><details class="evidence"><summary><span class="value">${text}</span>
<span class="hidden">, the exchange that shows ${point}</span></summary>${exchangeDetails(exchange)}</details></li>`;
}
