import { factList, section } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { count, duration, latencyFigure, percent, some } from '../../text/figures.ts';
import type { LoadRecord } from '../load-record.ts';
import { environmentText, generatorReadings, lagText } from '../load-words.ts';
import { readingMark } from './judged-tables.ts';

/** Whether the generator kept up, so that the figures are the target's. */
export function generatorSection({ generator }: LoadRecord): Markup {
  const { verdict, reasons, lag, sockets, closes, throttledMs = 0, stolenShare = 0, environments } = generator;
  const lead = markup`The machine that sent the load was ${readingMark(generatorReadings[verdict])}`;
  return section(
    { id: 'generator', title: 'Generator', lead },
    markup`${reasons.length === 0 ? undefined : markup`<ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}
${factList([
  ['Lag', lag && lagText(lag)],
  [
    'Event loop',
    `${percent(generator.eventLoopUtilization)} busy, p99 delay ${latencyFigure(generator.eventLoopDelayP99Ms)} ms`,
  ],
  ['Processor', `${generator.processCores.toFixed(2)} cores; ${percent(generator.machineShare)} of the machine in use`],
  ['Memory', `${count(Math.round(generator.memoryMb))} MB`],
  ['Sockets', `${sockets.peak} of ${sockets.cap}; ${some(sockets.waited, 'request')} waited for one`],
  ['Throttled', throttledMs > 0 ? `${duration(throttledMs)}, by the limit of the container` : undefined],
  ['Taken by the host', stolenShare >= 0.005 ? `${percent(stolenShare)} of the processor` : undefined],
  ['Environment', environments.map(environmentText).join('; ') || undefined],
  ['Closed', closes > 0 ? `${some(closes, 'connection')}, unexpectedly` : undefined],
])}`,
  );
}
