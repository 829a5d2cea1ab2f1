import { foldedIfLong, numberCells, section, statusAttribute, tableHead, wideTable } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { traceMarkup } from '../../run/page/exchange.ts';
import { duration, latencyFigure, some } from '../../text/figures.ts';
import type { LoadRecord } from '../load-record.ts';
import { outcomeReadings } from '../load-words.ts';

type SlowRequests = LoadRecord['slowest'];

/** The slowest requests of each operation, each with the trace by which its deployment may know why. */
export function slowestTable({ slowest }: LoadRecord): Markup | undefined {
  const lead =
    'Of each operation, in milliseconds from the scheduled time, and from the actual sending. The header traceparent carried the trace ID.';
  const groups = [...Map.groupBy(slowest, ({ operation }) => operation)];
  return slowSection({ id: 'slowest', title: 'Slowest requests', lead }, 'Operation', groups);
}

/** The same of the steps of a flow. */
export function slowStepsTable({ steps }: LoadRecord): Markup | undefined {
  const lead =
    'Of each step, in milliseconds from when it was due, and from the sending of its last request, whose header traceparent carried the trace ID.';
  const groups = steps.map(({ name, slowest }): Group => [name, slowest]);
  return slowSection({ id: 'slow-steps', title: 'Slowest steps', lead }, 'Step', groups);
}

type Group = readonly [name: string, requests: SlowRequests];

function slowSection(
  heading: { readonly id: string; readonly title: string; readonly lead: string },
  first: string,
  groups: readonly Group[],
): Markup | undefined {
  const present = groups.filter(([, requests]) => requests.length > 0);
  if (present.length === 0) return undefined;
  const table = markup`${tableHead([first, 'Outcome', 'Latency', 'Service', 'Scheduled at', 'Trace'], 2)}
${present.map(([name, requests]) => slowRows(name, requests))}`;
  const { id, title } = heading;
  const summary = some(present.length, first.toLowerCase());
  return section(
    heading,
    foldedIfLong(
      { label: title, rows: `#${id} tbody`, length: present.length, summary },
      wideTable(`${id}-title`, 'operations', table),
    ),
  );
}

function slowRows(name: string, requests: SlowRequests): Markup {
  const lines = requests.map(
    ({ outcome, class: kind, latencyMs, serviceMs, atMs, traceId, traceUrl }) =>
      markup`<tr${statusAttribute(kind)}><th scope="row">${name}</th><td class="is-${outcomeReadings[kind].tone} outcome">${outcome}</td>
${numberCells([latencyFigure(latencyMs), latencyFigure(serviceMs), duration(atMs)])}
<td class="number">${traceMarkup(traceId, traceUrl)}</td></tr>`,
  );
  return markup`<tbody>${lines}</tbody>`;
}
