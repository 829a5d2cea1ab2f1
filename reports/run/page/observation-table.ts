import { openPoints } from '../../../spec/open-points.ts';
import { foldedList, section, tableHead } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { type ObservedValue, observedPoints } from '../../record/observed-values.ts';
import type { ObservationRecord, RunRecord } from '../../record/record.ts';
import { some } from '../../text/figures.ts';
import { exchangeDetails } from './exchange.ts';

/** What the deployment does where the specification leaves a choice. */
export function observationTable({ observations }: RunRecord): Markup | undefined {
  if (observations.length === 0) return undefined;
  const rows = observedPoints(observations).map(
    ({ point, values }) => markup`<tr><th scope="row"><code>${point}</code>${sentenceOf(point)}</th><td>
<ul class="plain values">${values.map(valueItem)}</ul></td></tr>`,
  );
  const lead = 'What this deployment does where the specification leaves a choice. None of this is judged.';
  return section(
    { id: 'observations', title: 'Observations', count: rows.length, lead },
    foldedList(
      {
        label: 'Observations',
        rows: '.observations > tbody > tr',
        length: rows.length,
        summary: some(rows.length, 'point'),
      },
      markup`<table class="observations">${tableHead(['Point', 'Observed'])}
<tbody>${rows}</tbody></table>`,
    ),
  );
}

/** Undefined for a point that this version of the catalogue does not have. */
function sentenceOf(point: string): Markup | undefined {
  const known = openPoints.find((candidate) => candidate.point === point);
  return known && markup`<p class="note">${known.sentence}</p>`;
}

/** Several cases with one value are listed under it, each with its evidence. */
function valueItem({ value, cases }: ObservedValue<ObservationRecord>): Markup {
  const [first] = cases;
  if (first !== undefined && cases.length === 1) return caseItem(first.item.value, first.item);
  return markup`<li><details class="cases"><summary><span class="value">${value}</span> <span class="note">in ${cases.length} cases</span></summary>
<ul class="plain values">${cases.map(({ name, item }) => caseItem(name ?? item.value, item))}</ul></details></li>`;
}

function caseItem(text: string, { point, exchange }: ObservationRecord): Markup {
  if (exchange === undefined) return markup`<li class="value">${text}</li>`;
  return markup`<li><details class="evidence"><summary><span class="value">${text}</span>
<span class="hidden">, the exchange that shows ${point}</span></summary>${exchangeDetails(exchange)}</details></li>`;
}
