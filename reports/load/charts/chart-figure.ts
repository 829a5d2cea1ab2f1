import { type Markup, markup } from '../../page/markup.ts';
import { tableHead } from '../../page/elements.ts';
import { percent } from '../../text/figures.ts';
import { plot, type Tick } from './plot.ts';

/** A part of the horizontal axis, in shares of it, and the text that pointing at it shows. */
export type ChartBin = {
  readonly from: number;
  readonly to: number;
  readonly heading: string;
  readonly values: string;
};

/** The name of a series decides its colour: `load-style.ts` has a class for each. */
export type Series = { readonly series: string; readonly name: string };

export type ChartFigure = {
  readonly id: string;
  readonly title: string;
  /** Describes the picture, also for screen readers. */
  readonly lead: string;
  readonly unit: string;
  readonly legend: readonly Series[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** In units of the plot. */
  readonly drawing: readonly Markup[];
  readonly bins: readonly ChartBin[];
  /** The same figures: the first cell of each row is its name. */
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
};

/** The height in pixels above the plot, for the values of the bin that is pointed at, and below it, for its ticks. */
const above = 40;
const below = 24;
const height = above + plot.height + below;

/**
 * A chart with its table. Lines and areas are stretched to the width of the page. Text is placed in percentages beside them
 * and is not stretched, so it can be read on a phone as well.
 */
export function chartFigure({ id, title, lead, legend, table, ...chart }: ChartFigure): Markup {
  const rows = table.rows.map(
    ([name = '', ...values]) =>
      markup`<tr><th scope="row">${name}</th>${values.map((value) => markup`<td class="number">${value}</td>`)}</tr>`,
  );
  return markup`<figure class="chart" aria-labelledby="${id}-title">
<figcaption><h3 id="${id}-title">${title}</h3><p class="note">${lead}</p></figcaption>
<ul class="plain legend">${legend.map(legendItem)}</ul>
<div class="plot">${verticalAxis(chart)}${picture(title, lead, chart)}</div>
<details><summary>Table<span class="hidden"> of ${title}</span></summary>
<div class="wide" tabindex="0" role="group" aria-label="Table of ${title}"><table class="data">${tableHead(table.head, 1)}<tbody>${rows}</tbody></table></div></details></figure>`;
}

function legendItem({ series, name }: Series): Markup {
  return markup`<li class="s-${series}"><svg width="28" height="12" aria-hidden="true"><rect class="fill" width="28" height="12"/><line class="stroke" x1="1" x2="27" y1="6" y2="6"/></svg> ${name}</li>`;
}

type Drawn = Pick<ChartFigure, 'unit' | 'xTicks' | 'yTicks' | 'drawing' | 'bins'>;

function verticalAxis({ unit, yTicks }: Drawn): Markup {
  const labels = yTicks.map(({ at, label }) => markup`<text x="50" y="${yOf(at) + 4}">${label}</text>`);
  return markup`<svg class="axis" width="56" height="${height}" aria-hidden="true">
<text x="50" y="${above - 22}">${unit}</text>${labels}</svg>`;
}

function picture(title: string, lead: string, { xTicks, yTicks, drawing, bins }: Drawn): Markup {
  const grid = yTicks.map(({ at }) => markup`<line class="grid" x2="100%" y1="${yOf(at)}" y2="${yOf(at)}"/>`);
  const ticks = xTicks.map(
    ({ at, label }) =>
      markup`<text class="${anchorAt(at)}" x="${percent(at, 3)}" y="${above + plot.height + 18}">${label}</text>`,
  );
  return markup`<svg class="picture" width="100%" height="${height}" role="img" aria-label="${title}. ${lead}">${grid}
<svg y="${above}" width="100%" height="${plot.height}" viewBox="0 0 ${plot.width} ${plot.height}" preserveAspectRatio="none">${drawing}</svg>
${ticks}${bins.map(binMarkup)}</svg>`;
}

function binMarkup({ from, to, heading, values }: ChartBin): Markup {
  return markup`<g class="bin"><rect x="${percent(from, 3)}" y="${above}" width="${percent(to - from, 3)}" height="${plot.height}"/>
<text y="12">${heading}</text><text class="values" y="28">${values}</text></g>`;
}

/** `at` is a share of the vertical axis from below. */
function yOf(at: number): number {
  return Math.round((above + (1 - at) * plot.height) * 10) / 10;
}

function anchorAt(at: number): string {
  if (at < 0.05) return 'at-start';
  return at > 0.92 ? 'at-end' : 'at-middle';
}
