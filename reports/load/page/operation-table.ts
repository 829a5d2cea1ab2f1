import { type Markup, markup } from '../../page/markup.ts';
import type { LoadOperationRecord, LoadOutcomeRecord, LoadRecord } from '../load-record.ts';
import { timeFigure } from './time-figure.ts';
import { type Tone, toneClass } from './tone-mark.ts';

const tones: Readonly<Record<LoadOutcomeRecord['class'], Tone>> = {
  ok: 'good',
  rateLimited: 'doubtful',
  conflict: 'doubtful',
  refused: 'bad',
  failed: 'bad',
  timeout: 'bad',
  transport: 'bad',
};

/** Every outcome of every operation, with its own latencies, and beside them what it took once it was sent. */
export function operationTable({ operations, generator }: LoadRecord): Markup {
  const doubt = generator.latencyValid
    ? undefined
    : markup` <strong>Connections ended unannounced, so these times are not valid.</strong>`;
  return markup`<section id="operations" aria-labelledby="operations-title"><h2 id="operations-title">Operations</h2>
<p class="lead">Times in milliseconds. Latency counts from the instant a request was due, service from the moment it was sent.${doubt}</p>
<div class="wide" tabindex="0" role="group" aria-labelledby="operations-title"><table class="operations"><thead><tr><th scope="col">Operation</th><th scope="col">Outcome</th>
${['Count', 'p50', 'p95', 'p99', 'Max', 'Service p50', 'Service p99'].map((name) => markup`<th scope="col" class="number">${name}</th>`)}</tr></thead>
${operations.map(rows)}</table></div></section>`;
}

function rows({ operation, outcomes, withheld }: LoadOperationRecord): Markup {
  const sorted = outcomes.toSorted((one, other) => other.count - one.count);
  const height = Math.max(1, sorted.length + (withheld > 0 ? 1 : 0));
  const head = markup`<th scope="rowgroup" rowspan="${height}">${operation}</th>`;
  const lines = sorted.map(({ outcome, class: kind, count, latency, service }, index) => {
    const times = [latency.p50, latency.p95, latency.p99, latency.max, service.p50, service.p99];
    return markup`<tr>${index === 0 ? head : undefined}<td class="${toneClass(tones[kind])} outcome">${outcome}</td>
<td class="number">${count.toLocaleString('en')}</td>${times.map((ms) => markup`<td class="number">${timeFigure(ms)}</td>`)}</tr>`;
  });
  const last = markup`<tr>${sorted.length === 0 ? head : undefined}<td>withheld</td><td class="number">${withheld.toLocaleString('en')}</td><td colspan="6">nothing idle was left to send them to</td></tr>`;
  return markup`<tbody>${lines}${withheld > 0 ? last : undefined}</tbody>`;
}
