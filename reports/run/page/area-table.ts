import { bar, type BarPart, section, tableHead, wideTable } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { areasOf } from '../../record/areas.ts';
import { type CheckStatus, checkStatuses, countStatuses } from '../../record/check-status.ts';
import type { CheckRecord, RunRecord } from '../../record/record.ts';

/** The checks of every area by status. Columns of zeros are left out: the tiles at the top have those. */
export function areaTable({ checks }: RunRecord): Markup {
  const counts = countStatuses(checks);
  const columns = checkStatuses.filter((status) => counts[status] > 0);
  const table = markup`${tableHead(['Area', 'Checks', ...columns, 'Share'], 1)}
<tbody>${areasOf(checks).map(({ name, checks: own }) => row(name, own, columns))}</tbody>
<tfoot>${row('all', checks, columns)}</tfoot>`;
  return section({ id: 'areas', title: 'Areas' }, wideTable('areas-title', 'areas', table));
}

function row(name: string, checks: readonly CheckRecord[], columns: readonly CheckStatus[]): Markup {
  const counts = countStatuses(checks);
  const cells = columns.map(
    (status) => markup`<td class="number ${counts[status] === 0 ? 'none' : `is-${status}`}">${counts[status]}</td>`,
  );
  let from = 0;
  const parts = columns.map((status): BarPart => {
    const part = { className: `is-${status}`, from, share: checks.length === 0 ? 0 : counts[status] / checks.length };
    from += part.share;
    return part;
  });
  return markup`<tr><th scope="row">${name}</th><td class="number">${checks.length}</td>${cells}<td class="share">${bar(parts)}</td></tr>`;
}
