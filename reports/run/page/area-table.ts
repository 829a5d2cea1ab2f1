import { areasOf } from '../../record/areas.ts';
import { countStandings } from '../../record/count-standings.ts';
import type { CheckRecord, RunRecord } from '../../record/record.ts';
import { type Standing, standings } from '../../record/standing.ts';
import { type Markup, markup } from '../../page/markup.ts';

/** How many checks of every area stand how; the tiles on top say what does not occur at all. */
export function areaTable({ checks }: RunRecord): Markup {
  const areas = areasOf(checks);
  const counts = countStandings(checks);
  const columns = standings.filter((standing) => counts[standing] > 0);
  return markup`<section id="areas" aria-labelledby="areas-title">
<h2 id="areas-title">Areas</h2>
<div class="wide" tabindex="0" role="group" aria-labelledby="areas-title"><table class="areas">
<thead><tr><th scope="col">Area</th><th scope="col" class="number">Checks</th>
${columns.map((name) => markup`<th scope="col" class="number">${name}</th>`)}<th scope="col" class="share">Share</th></tr></thead>
<tbody>${areas.map(({ name, checks: own }) => row(name, own, columns))}</tbody>
<tfoot>${row('all', checks, columns)}</tfoot></table></div></section>`;
}

function row(name: string, checks: readonly CheckRecord[], columns: readonly Standing[]): Markup {
  const counts = countStandings(checks);
  const cells = columns.map((verdict) =>
    counts[verdict] === 0
      ? markup`<td class="number none">0</td>`
      : markup`<td class="number is-${verdict}">${counts[verdict]}</td>`,
  );
  return markup`<tr><th scope="row">${name}</th><td class="number">${checks.length}</td>${cells}<td class="share">${bar(
    columns,
    counts,
    checks.length,
  )}</td></tr>`;
}

/** The numbers again as a bar, so nobody needs it read aloud. */
function bar(columns: readonly Standing[], counts: Readonly<Record<Standing, number>>, all: number): Markup {
  let x = 0;
  const parts = columns.map((verdict) => {
    const width = all === 0 ? 0 : (counts[verdict] / all) * 100;
    const part = markup`<rect class="is-${verdict}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="1"/>`;
    x += width;
    return part;
  });
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
