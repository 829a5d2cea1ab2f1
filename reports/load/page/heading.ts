import { factList, signMarkup, textList } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { count, duration, instant, latencyFigure, rateFigure, some } from '../../text/figures.ts';
import { toneSigns } from '../../text/tones.ts';
import { type Latencies, meaningfulMs } from '../latencies.ts';
import type { CapacityRecord } from '../capacity-record.ts';
import type { LoadRecord } from '../load-record.ts';
import { type Reading, resultReadings } from '../load-words.ts';

/** A run that goes on has no result. */
export const running: Reading = { word: 'Running', tone: 'idle' };

/** The first screen: the verdict, the question, the main figures, and the facts of the run. */
export function loadHeading(record: LoadRecord, latency: Latencies, isLive: boolean): Markup {
  const { target, profile, sentence, result, notes, suite, warmUp, unfinished, shards, offeredPerSecond } = record;
  const { word, tone } = isLive ? running : resultReadings[result];
  const sent = record.operations.reduce((sum, operation) => sum + operation.sent, 0);
  return markup`<header class="is-${tone}">
<p class="eyebrow">Load report: ${profile.name}</p>
<h1>${signMarkup(toneSigns[tone])} ${word}</h1>
<p class="sentence">${isLive ? 'So far: ' : ''}${sentence}</p>
<p class="question">${profile.question}</p>
<p class="target"><strong>${target.name}</strong> <code>${target.baseUrl}</code></p></header>
<div class="tiles">${tilesOf(record, latency).map(tile)}</div>
${factList([
  ['Started', instant(record.startedAt)],
  ['Measured', `${duration(record.measuredMs)}, ${some(sent, 'request')}`],
  ['Offered', offeredPerSecond === undefined ? undefined : `${rateFigure(offeredPerSecond)} requests a second`],
  [
    'Warm-up',
    warmUp > 0 ? `${some(warmUp, 'request')}, not counted; their answers are not among those checked` : undefined,
  ],
  ['Unfinished', unfinished > 0 ? `${some(unfinished, 'request')} at the end` : undefined],
  ['Shards', shards.of > 1 ? `${shards.indexes.join(', ')} of ${shards.of}` : undefined],
  ['Suite', `${suite.name} ${suite.version}`],
  ['Seed', String(record.seed)],
])}
${textList('Notes', notes)}`;
}

export type Tile = { readonly text: string; readonly unit: string; readonly name: string; readonly isBad?: boolean };

function tilesOf(record: LoadRecord, latency: Latencies): readonly Tile[] {
  const { validation, capacity } = record;
  return [
    ...(capacityTiles(capacity) ?? speedTiles(record, latency)),
    { name: 'checked', text: count(validation.checked), unit: '' },
    { name: 'violating answers', text: count(validation.broken), unit: '', isBad: validation.broken > 0 },
  ];
}

/** One figure, large. */
export function tile({ name, text, unit, isBad }: Tile): Markup {
  return markup`<span class="tile${isBad === true ? ' is-bad' : ''}"><b>${text}${unit === '' ? undefined : markup` <small>${unit}</small>`}</b> <span>${name}</span></span>`;
}

function speedTiles({ generator, throughputPerSecond }: LoadRecord, latency: Latencies): readonly Tile[] {
  const percentiles = [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const;
  return [
    ...percentiles.map(([name, share]): Tile => {
      const ms = generator.latencyValid ? meaningfulMs(latency, share) : undefined;
      return ms === undefined
        ? { name: `${name}: ${generator.latencyValid ? 'too few answers' : 'not valid'}`, text: '–', unit: '' }
        : { name, text: latencyFigure(ms), unit: 'ms' };
    }),
    { name: 'succeeded', text: rateFigure(throughputPerSecond), unit: '/s' },
  ];
}

/** Undefined where a search found only a bound, or where there was none. */
function capacityTiles(capacity: CapacityRecord | undefined): readonly Tile[] | undefined {
  if (capacity?.result.kind === 'found') {
    const { ratePerSecond, brokeAtPerSecond, interval } = capacity.result;
    return [
      rateTile('passed at', ratePerSecond),
      rateTile('failed at', brokeAtPerSecond),
      rateTile('capacity from', interval.lowPerSecond),
      rateTile('capacity to', interval.highPerSecond),
    ];
  }
  if (capacity?.result.kind !== 'unfinished') return undefined;
  const { passedPerSecond, failedPerSecond } = capacity.result;
  return [
    rateTile('passed at', passedPerSecond),
    rateTile('failed at', failedPerSecond),
    { name: 'trials', text: count(capacity.trials.length), unit: '' },
  ];
}

function rateTile(name: string, perSecond: number | undefined): Tile {
  return perSecond === undefined ? { name, text: '–', unit: '' } : { name, text: rateFigure(perSecond), unit: '/s' };
}
