import { bar, type BarPart, tableHead, tableSection } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { type Area, areasOf } from '../../record/areas.ts';
import { count } from '../../text/figures.ts';
import { type CheckStatus, checkStatuses, countStatuses } from '../../record/check-status.ts';
import type { CheckRecord, RunRecord } from '../../record/record.ts';
import { type LiveRun, plannedChecks } from './live-run.ts';

/**
 * The checks of every area by status. Columns of zeros are left out: the tiles at the top have those. While a run goes on, the
 * bars fill up.
 */
export function areaTable({ checks }: RunRecord, live: LiveRun | undefined): Markup {
  const counts = countStatuses(checks);
  const columns = checkStatuses.filter((status) => counts[status] > 0);
  const table = markup`${tableHead(['Area', 'Checks', ...columns, 'Share'], 1)}
<tbody>${areas(checks, live).map((area) => row(area, columns))}</tbody>
<tfoot>${row({ name: 'all', checks, planned: live === undefined ? checks.length : plannedChecks(live) }, columns)}</tfoot>`;
  return tableSection({ id: 'areas', title: 'Areas' }, 'areas', table);
}

type Row = Area & { readonly planned: number };

function areas(checks: readonly CheckRecord[], live: LiveRun | undefined): readonly Row[] {
  const done = areasOf(checks);
  if (live === undefined) return done.map((area) => ({ ...area, planned: area.checks.length }));
  return [...live.planned].map(([name, planned]) => ({
    name,
    planned,
    checks: done.find((area) => area.name === name)?.checks ?? [],
  }));
}

function row({ name, checks, planned }: Row, columns: readonly CheckStatus[]): Markup {
  const counts = countStatuses(checks);
  const cells = columns.map(
    (status) =>
      markup`<td class="number ${counts[status] === 0 ? 'none' : `is-${status}`}">${count(counts[status])}</td>`,
  );
  let from = 0;
  const parts = columns.map((status): BarPart => {
    const part = { className: `is-${status}`, from, share: planned === 0 ? 0 : counts[status] / planned };
    from += part.share;
    return part;
  });
  const amount = checks.length === planned ? count(planned) : `${count(checks.length)} of ${count(planned)}`;
  return markup`<tr><th scope="row">${name}</th><td class="number">${amount}</td>${cells}<td class="share">${bar(parts)}</td></tr>`;
}
