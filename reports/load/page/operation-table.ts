import { numberCells, statusAttribute, tableHead, tableSection } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { count, latencyFigure } from '../../text/figures.ts';
import type { LoadOperationRecord, LoadRecord } from '../load-record.ts';
import {
  droppedRequests,
  droppedStatus,
  latencyFigures,
  outcomeReadings,
  phaseRows,
  pointFigure,
  skippedSteps,
  whyNoPhases,
} from '../load-words.ts';
import { overallName, overallRow } from '../overall-row.ts';

const columns = (first: string) => [
  first,
  'Outcome',
  'Count',
  'p50',
  'p95',
  'p99',
  'Max',
  'Service p50',
  'Service p99',
];

/** Every outcome of every operation with its latency, and with its service time: the time after it was sent. */
export function operationTable(record: LoadRecord): Markup | undefined {
  const { operations, generator } = record;
  if (operations.length === 0) return undefined;
  const doubt = generator.latencyValid
    ? undefined
    : markup` <strong>Connections were closed unexpectedly, so these times are not valid.</strong>`;
  const lead = markup`Times in milliseconds. Latency is measured from the scheduled time, service from the actual sending. ${whyNoPhases(record)}${doubt}`;
  const table = markup`${tableHead(columns('Operation'), 2)}
${operations.map((one) => rows(one.operation, one, droppedRequests(one)))}${overall(record)}`;
  return tableSection({ id: 'operations', title: 'Operations', lead }, 'operations', table);
}

/** The steps of a flow, and the whole of it. */
export function stepTable({ steps }: LoadRecord): Markup | undefined {
  if (steps.length === 0) return undefined;
  const lead =
    'What each user did, in milliseconds from when the step was due. The flow counts from the arrival of the user, with the time to think.';
  const table = markup`${tableHead(columns('Step'), 2)}
${steps.map((step) => rows(step.name, step, skippedSteps(step)))}`;
  return tableSection({ id: 'steps', title: 'Steps', lead }, 'operations', table);
}

/** Where the time of a request goes after it was sent. */
export function phaseTable(record: LoadRecord): Markup | undefined {
  const rows = phaseRows(record);
  if (rows.length === 0) return undefined;
  const lead =
    'Milliseconds after a request was sent. Lookup, connecting and the handshake count only for requests that opened a connection.';
  const table = markup`${tableHead(['Phase', 'Count', 'p50', 'p95', 'p99', 'Max'], 1)}
<tbody>${rows.map(
    ([name, ...figures]) => markup`<tr><th scope="row">${name}</th>
${numberCells(figures)}</tr>`,
  )}</tbody>`;
  return tableSection({ id: 'phases', title: 'Where the time goes', lead }, 'operations', table);
}

function overall(record: LoadRecord): Markup | undefined {
  const row = overallRow(record);
  if (row === undefined) return undefined;
  const figures = [count(row.count), ...row.figures, latencyFigure(undefined), latencyFigure(undefined)];
  return markup`<tbody><tr${statusAttribute(overallName)}><th scope="row">${overallName}</th><td>${row.outcome}</td>
${numberCells(figures)}</tr></tbody>`;
}

function rows(name: string, { outcomes }: LoadOperationRecord, rest: ReturnType<typeof droppedRequests>): Markup {
  const sorted = outcomes.toSorted((one, other) => other.count - one.count);
  // Each row has the name, because a tile may hide the row before it.
  const head = markup`<th scope="row">${name}</th>`;
  const lines = sorted.map(({ outcome, class: kind, count: answers, latency, service }) => {
    const figures = [
      count(answers),
      ...latencyFigures(latency),
      pointFigure(service, 'p50'),
      pointFigure(service, 'p99'),
    ];
    return markup`<tr${statusAttribute(kind)}>${head}<td class="is-${outcomeReadings[kind].tone} outcome">${outcome}</td>
${numberCells(figures)}</tr>`;
  });
  const last = rest.map(
    ({ requests, why }) =>
      markup`<tr${statusAttribute(droppedStatus)}>${head}<td>dropped</td><td class="number">${count(requests)}</td><td colspan="6">${why}</td></tr>`,
  );
  return markup`<tbody>${lines}${last}</tbody>`;
}
