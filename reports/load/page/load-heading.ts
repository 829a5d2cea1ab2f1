import { type Markup, markup } from '../../page/markup.ts';
import { textList } from '../../page/text-list.ts';
import { timeText } from '../../run/page/timeline.ts';
import type { CapacityRecord, LoadRecord } from '../load-record.ts';
import { type Latencies, tellingMs } from './latencies.ts';
import { resultWords } from './result-word.ts';
import { timeFigure } from './time-figure.ts';
import { toneClass, toneSign } from './tone-mark.ts';

/** The question, the verdict, and what a reader has to know of the run. */
export function loadHeading(record: LoadRecord, latency: Latencies): Markup {
  const { target, profile, sentence, result, notes } = record;
  const { word, tone } = resultWords[result];
  return markup`<header class="${toneClass(tone)}">
<p class="eyebrow">Load report: ${profile.name}</p>
<h1>${toneSign(tone)} ${word}</h1>
<p class="sentence">${sentence}</p>
<p class="question">${profile.question}</p>
<p class="target"><strong>${target.name}</strong> <code>${target.baseUrl}</code></p></header>
<div class="tiles">${tiles(record, latency)}</div>
<dl class="facts">${facts(record)}</dl>
${textList('Notes', notes)}`;
}

type Tile = { readonly text: string; readonly unit: string; readonly name: string; readonly isBad?: boolean };

function tiles(record: LoadRecord, latency: Latencies): readonly Markup[] {
  const { validation, capacity } = record;
  const all: readonly Tile[] = [
    ...(capacity?.result.kind === 'found' ? capacityTiles(capacity.result) : speedTiles(record, latency)),
    { name: 'checked', text: validation.checked.toLocaleString('en'), unit: '' },
    { name: 'violations', text: validation.broken.toLocaleString('en'), unit: '', isBad: validation.broken > 0 },
  ];
  return all.map(
    ({ name, text, unit, isBad }) =>
      markup`<span class="tile${isBad === true ? ` ${toneClass('bad')}` : ''}"><b>${text}${unit === '' ? undefined : markup` <small>${unit}</small>`}</b> <span>${name}</span></span>`,
  );
}

function speedTiles({ generator, throughputPerSecond }: LoadRecord, latency: Latencies): readonly Tile[] {
  const time = (name: string, share: number): Tile => {
    const ms = generator.latencyValid ? tellingMs(latency, share) : undefined;
    return { name, text: timeFigure(ms), unit: 'ms' };
  };
  return [
    time('p50', 0.5),
    time('p95', 0.95),
    time('p99', 0.99),
    { name: 'succeeded', text: figure(throughputPerSecond), unit: '/s' },
  ];
}

type Found = Extract<CapacityRecord['result'], { readonly kind: 'found' }>;

function capacityTiles({ ratePerSecond, brokeAtPerSecond, interval }: Found): readonly Tile[] {
  return [
    { name: 'held', text: figure(ratePerSecond), unit: '/s' },
    { name: 'missed', text: figure(brokeAtPerSecond), unit: '/s' },
    { name: 'capacity from', text: figure(interval.lowPerSecond), unit: '/s' },
    { name: 'capacity to', text: figure(interval.highPerSecond), unit: '/s' },
  ];
}

function figure(perSecond: number): string {
  return perSecond.toLocaleString('en', { maximumFractionDigits: perSecond < 100 ? 1 : 0 });
}

function facts(record: LoadRecord): readonly Markup[] {
  const { suite, seed, startedAt, measuredMs, offeredPerSecond, operations, warmUp, shards, unfinished } = record;
  const sent = operations.reduce((sum, one) => sum + one.sent, 0);
  const rows: readonly (readonly [string, string])[] = [
    ['Started', `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`],
    ['Measured', `${timeText(measuredMs)}, ${sent.toLocaleString('en')} requests`],
    ...(offeredPerSecond === undefined
      ? []
      : [['Asked of it', `${figure(offeredPerSecond)} requests a second`] as const]),
    ...(warmUp > 0
      ? [['Warm-up', `${warmUp.toLocaleString('en')} requests before, which count nowhere`] as const]
      : []),
    ...(unfinished > 0 ? [['Unfinished', `${unfinished.toLocaleString('en')} requests at the end`] as const] : []),
    ...(shards.of > 1 ? [['Shards', `${shards.indexes.join(', ')} of ${shards.of}`] as const] : []),
    ['Suite', `${suite.name} ${suite.version}`],
    ['Seed', String(seed)],
  ];
  return rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}
