import { type Markup, markup } from '../../page/markup.ts';
import type { LoadRecord } from '../load-record.ts';
import { timeFigure } from './time-figure.ts';
import { toneMark } from './tone-mark.ts';

/** The harness on itself: whether these figures are the target's. */
export function generatorSection({ generator }: LoadRecord): Markup {
  const { verdict, reasons } = generator;
  const judgement = verdict === 'fit' ? toneMark('good', 'fit') : toneMark('doubtful', 'the bottleneck');
  return markup`<section id="generator" aria-labelledby="generator-title"><h2 id="generator-title">Generator</h2>
<p class="lead">Whether the figures are the target's or the harness's own: ${judgement}</p>
${reasons.length === 0 ? undefined : markup`<ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}
<dl class="facts">${facts(generator)}</dl></section>`;
}

function facts(generator: LoadRecord['generator']): readonly Markup[] {
  const { lag, eventLoopUtilization, eventLoopDelayP99Ms, processCores, machineShare, memoryMb, sockets, closes } =
    generator;
  const rows: readonly (readonly [string, string])[] = [
    ...(lag === undefined
      ? []
      : [['Lag', `p50 ${timeFigure(lag.p50)}, p99 ${timeFigure(lag.p99)}, max ${timeFigure(lag.max)} ms`] as const]),
    ['Event loop', `${percent(eventLoopUtilization)} busy, p99 of its delay ${timeFigure(eventLoopDelayP99Ms)} ms`],
    ['Processor', `${processCores.toFixed(2)} cores; ${percent(machineShare)} of the machine in use`],
    ['Memory', `${Math.round(memoryMb).toLocaleString('en')} MB`],
    ['Sockets', `${sockets.peak} of ${sockets.cap}, ${sockets.waited.toLocaleString('en')} requests waited for one`],
    ...(closes > 0 ? [['Closed', `${closes.toLocaleString('en')} connections, unannounced`] as const] : []),
  ];
  return rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
