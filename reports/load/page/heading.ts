import { factList, signMarkup, textList } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { count, duration, instant, latencyFigure, rateFigure, some } from '../../text/figures.ts';
import { toneSigns } from '../../text/tones.ts';
import type { CapacityRecord } from '../capacity-record.ts';
import { sharesOfPoints } from '../distribution-record.ts';
import { type Latencies, meaningfulMs } from '../latencies.ts';
import type { LiveFigures, LiveLoad } from '../live-load.ts';
import type { LoadRecord } from '../load-record.ts';
import { latencyFigures, type Reading, resultReadings } from '../load-words.ts';

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

/** Two more follow. */
const mostFigures = 4;

export type Tile = {
  readonly text: string;
  readonly unit: string;
  readonly name: string;
  readonly isBad?: boolean;
  readonly href?: string;
};

function tilesOf(record: LoadRecord, latency: Latencies): readonly Tile[] {
  const { validation, capacity } = record;
  return [
    ...(capacityTiles(capacity) ?? factTiles(record) ?? flowTiles(record) ?? speedTiles(record, latency)),
    { name: 'checked', text: count(validation.checked), unit: '' },
    {
      name: 'violating answers',
      text: count(validation.broken),
      unit: '',
      isBad: validation.broken > 0,
      ...(record.violations.length > 0 && { href: '#violations' }),
    },
  ];
}

/** One figure, large. */
function tile({ name, text, unit, isBad, href }: Tile): Markup {
  const inside = markup`<b>${text}${unit === '' ? undefined : markup` <small>${unit}</small>`}</b> <span>${name}</span>`;
  const tone = isBad === true ? ' is-bad' : '';
  if (href === undefined) return markup`<span class="tile${tone}">${inside}</span>`;
  return markup`<a class="tile${tone}" href="${href}">${inside}</a>`;
}

/** The answers to the profile's own question; undefined if no figure answers it. */
function factTiles({ facts }: LoadRecord): readonly Tile[] | undefined {
  const tiles = facts.flatMap(({ name, verdict, figure }): readonly Tile[] =>
    figure === undefined ? [] : [{ name, ...figure, isBad: verdict === 'bad' }],
  );
  return tiles.length === 0 ? undefined : tiles.slice(0, mostFigures);
}

/** How long users took for the whole flow; undefined without one. */
function flowTiles({ steps }: LoadRecord): readonly Tile[] | undefined {
  const flow = steps.find(({ name }) => name === 'flow');
  const done = flow?.outcomes.find((outcome) => outcome.class === 'ok');
  if (done === undefined) return undefined;
  const [p50 = '', p95 = '', p99 = ''] = latencyFigures(done.latency);
  return [
    { name: 'p50 of a flow', text: p50, unit: 'ms' },
    { name: 'p95 of a flow', text: p95, unit: 'ms' },
    { name: 'p99 of a flow', text: p99, unit: 'ms' },
    { name: 'flows completed', text: count(done.count), unit: '' },
  ];
}

/** Where answers set the pace, the question is how many there are; elsewhere, how long they take. */
function speedTiles({ generator, throughputPerSecond, profile }: LoadRecord, latency: Latencies): readonly Tile[] {
  const rate = { name: 'succeeded', text: rateFigure(throughputPerSecond), unit: '/s' };
  const times = (['p50', 'p95', 'p99'] as const).map((name): Tile => {
    const ms = generator.latencyValid ? meaningfulMs(latency, sharesOfPoints[name]) : undefined;
    return ms === undefined
      ? { name: `${name}: ${generator.latencyValid ? 'too few answers' : 'not valid'}`, text: '–', unit: '' }
      : { name, text: latencyFigure(ms), unit: 'ms' };
  });
  return profile.kind === 'closed' ? [rate, ...times] : [...times, rate];
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

/** The figures of the last seconds of a load in progress. */
export function nowPart({ elapsedMs, figures }: LiveLoad): Markup {
  const { seconds, offeredPerSecond, succeededPerSecond, latencyMs, lagMs } = figures;
  const title = elapsedMs < 0 ? 'Now' : `The last ${some(Math.round(seconds), 'second')}`;
  const tiles = [
    { name: 'offered', text: rateFigure(offeredPerSecond), unit: '/s' },
    { name: 'succeeded', text: rateFigure(succeededPerSecond), unit: '/s' },
    ...(['p50', 'p95', 'p99'] as const).map((name) => ({ name, text: latencyFigure(latencyMs?.[name]), unit: 'ms' })),
    { name: 'longest lag', text: latencyFigure(lagMs), unit: 'ms' },
  ];
  return markup`<section aria-labelledby="now-title"><h2 id="now-title">${title}</h2>
${elapsedMs < 0 ? markup`<p class="lead">Warming up, or waiting for the start: ${count(Math.ceil(-elapsedMs / 1000))} s left.</p>` : markup`<div class="tiles">${tiles.map(tile)}</div>`}
${factList([['Outcomes so far', outcomesText(figures)]])}</section>`;
}

function outcomesText({ outcomes, capped }: LiveFigures): string | undefined {
  const all = [
    ...outcomes.map(([outcome, times]) => `${outcome}: ${count(times)}`),
    ...(capped === 0 ? [] : [`dropped by the limit: ${count(capped)}`]),
  ];
  return all.length === 0 ? undefined : all.join(', ');
}
