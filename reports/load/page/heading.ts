import {
  countTile,
  factLine,
  factList,
  signMarkup,
  smallTileRow,
  textList,
  type Tile,
  tileRow,
} from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { capitalized } from '../../text/capitalized.ts';
import { count, duration, instant, latencyFigure, rateFigure, some } from '../../text/figures.ts';
import { toneSigns } from '../../text/tones.ts';
import type { CapacityRecord } from '../capacity-record.ts';
import { sharesOfPoints } from '../distribution-record.ts';
import { type Latencies, meaningfulMs } from '../latencies.ts';
import type { LiveFigures, LiveLoad } from '../live-load.ts';
import { type LoadRecord, outcomeClasses } from '../load-record.ts';
import {
  droppedReading,
  droppedRequests,
  droppedStatus,
  latencyFigures,
  outcomeReadings,
  type Reading,
  resultReadings,
} from '../load-words.ts';
import { factAnchor } from './judged-tables.ts';

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
<p class="sentence">${isLive ? `So far: ${sentence}` : capitalized(sentence)}</p>
<p class="question">${profile.question}</p>
<p class="target"><strong>${target.name}</strong> <code>${target.baseUrl}</code></p></header>
${tileRow(tilesOf(record, latency))}
${smallTileRow(outcomeTiles(record))}
${factLine([
  ['Started', instant(record.startedAt)],
  ['Measured', `${duration(record.measuredMs)}, ${some(sent, 'request')}`],
  ['Offered', offeredPerSecond === undefined ? undefined : `${rateFigure(offeredPerSecond)} requests a second`],
  ['Warm-up', warmUp > 0 ? `${some(warmUp, 'request')}, not counted` : undefined],
  ['Unfinished', unfinished > 0 ? `${some(unfinished, 'request')} at the end` : undefined],
  ['Shards', shards.of > 1 ? `${shards.indexes.join(', ')} of ${shards.of}` : undefined],
  ['Suite', `${suite.name} ${suite.version}`],
  ['Seed', String(record.seed)],
])}
${textList('Notes', notes)}`;
}

/** Two more follow. */
const mostFigures = 4;

function tilesOf(record: LoadRecord, latency: Latencies): readonly Tile[] {
  const { validation, capacity } = record;
  return [
    ...(capacityTiles(capacity) ?? factTiles(record) ?? flowTiles(record) ?? speedTiles(record, latency)),
    { name: 'checked', text: count(validation.checked) },
    {
      name: 'violating answers',
      text: count(validation.broken),
      ...(validation.broken > 0 && { className: 'is-bad' }),
      ...(record.violations.length > 0 && { to: 'violations' }),
    },
  ];
}

/** How many requests had each outcome: a click shows only their rows. */
function outcomeTiles({ operations }: LoadRecord): readonly Tile[] {
  const outcomes = operations.flatMap((operation) => operation.outcomes);
  const dropped = operations.flatMap(droppedRequests).reduce((sum, { requests }) => sum + requests, 0);
  const counts = outcomeClasses.map((kind) => {
    const own = outcomes.filter((outcome) => outcome.class === kind);
    return {
      status: kind,
      reading: outcomeReadings[kind],
      amount: own.reduce((sum, { count: each }) => sum + each, 0),
    };
  });
  return [...counts, { status: droppedStatus, reading: droppedReading, amount: dropped }]
    .filter(({ amount }) => amount > 0)
    .map(({ status, reading: { word, tone }, amount }) =>
      countTile(amount, {
        name: markup`${signMarkup(toneSigns[tone])} ${word}`,
        className: `is-${tone}`,
        to: 'operations',
        status,
      }),
    );
}

/** The answers to the profile's own question; undefined if no figure answers it. */
function factTiles({ facts }: LoadRecord): readonly Tile[] | undefined {
  const tiles = facts.flatMap(({ name, verdict, figure }, index): readonly Tile[] =>
    figure === undefined
      ? []
      : [{ name, ...figure, ...(verdict === 'bad' && { className: 'is-bad' }), to: factAnchor(index) }],
  );
  return tiles.length === 0 ? undefined : tiles.slice(0, mostFigures);
}

/** How long users took for the whole flow; undefined without one. */
function flowTiles({ steps }: LoadRecord): readonly Tile[] | undefined {
  const flow = steps.find(({ name }) => name === 'flow');
  const done = flow?.outcomes.find((outcome) => outcome.class === 'ok');
  if (done === undefined) return undefined;
  const [p50 = '', p95 = '', p99 = ''] = latencyFigures(done.latency);
  const to = 'steps';
  return [
    { name: 'p50 of a flow', text: p50, unit: 'ms', to },
    { name: 'p95 of a flow', text: p95, unit: 'ms', to },
    { name: 'p99 of a flow', text: p99, unit: 'ms', to },
    { name: 'flows completed', text: count(done.count), to },
  ];
}

/** Where answers set the pace, the question is how many there are; elsewhere, how long they take. */
function speedTiles(record: LoadRecord, latency: Latencies): readonly Tile[] {
  const { generator, throughputPerSecond, profile, operations } = record;
  const from = operations.length > 0 ? { to: 'operations' } : {};
  const isHeld = profile.kind === 'closed' && generator.verdict === 'held-back';
  const rate = {
    name: isHeld ? 'succeeded, held back' : 'succeeded',
    text: rateFigure(throughputPerSecond),
    unit: '/s',
    ...from,
  };
  const times = (['p50', 'p95', 'p99'] as const).map((name): Tile => {
    const ms = generator.latencyValid ? meaningfulMs(latency, sharesOfPoints[name]) : undefined;
    return ms === undefined
      ? { name: `${name}: ${generator.latencyValid ? 'too few answers' : 'not valid'}`, text: '–', ...from }
      : { name, text: latencyFigure(ms), unit: 'ms', ...from };
  });
  return profile.kind === 'closed' ? [rate, ...times] : [...times, rate];
}

/** Undefined where a search found only a bound, or where there was none. */
function capacityTiles(capacity: CapacityRecord | undefined): readonly Tile[] | undefined {
  if (capacity === undefined) return undefined;
  const from = capacity.trials.length > 0 ? { to: 'capacity' } : {};
  if (capacity.result.kind === 'found') {
    const { ratePerSecond, brokeAtPerSecond, interval } = capacity.result;
    return [
      rateTile('passed at', ratePerSecond, from),
      rateTile('failed at', brokeAtPerSecond, from),
      rateTile('capacity from', interval.lowPerSecond, from),
      rateTile('capacity to', interval.highPerSecond, from),
    ];
  }
  if (capacity.result.kind !== 'unfinished') return undefined;
  const { passedPerSecond, failedPerSecond } = capacity.result;
  return [
    rateTile('passed at', passedPerSecond, from),
    rateTile('failed at', failedPerSecond, from),
    { name: 'trials', text: count(capacity.trials.length), ...from },
  ];
}

function rateTile(name: string, perSecond: number | undefined, from: Pick<Tile, 'to'>): Tile {
  return perSecond === undefined
    ? { name, text: '–', ...from }
    : { name, text: rateFigure(perSecond), unit: '/s', ...from };
}

/** The figures of the last seconds of a load in progress. */
export function nowPart({ elapsedMs, figures }: LiveLoad): Markup {
  const { seconds, offeredPerSecond, succeededPerSecond, latencyMs, lagMs, waiting } = figures;
  const title = elapsedMs < 0 ? 'Now' : `The last ${some(Math.round(seconds), 'second')}`;
  const tiles = [
    { name: 'offered', text: rateFigure(offeredPerSecond), unit: '/s' },
    { name: 'succeeded', text: rateFigure(succeededPerSecond), unit: '/s' },
    ...(['p50', 'p95', 'p99'] as const).map((name) => ({ name, text: latencyFigure(latencyMs?.[name]), unit: 'ms' })),
    { name: 'waiting', text: count(waiting.requests) },
    { name: 'oldest waits over', text: waiting.oldestMs < 1000 ? '–' : duration(waiting.oldestMs) },
    { name: 'longest lag', text: latencyFigure(lagMs), unit: 'ms' },
  ];
  return markup`<section aria-labelledby="now-title"><h2 id="now-title">${title}</h2>
${elapsedMs < 0 ? markup`<p class="lead">Warming up, or waiting for the start: ${count(Math.ceil(-elapsedMs / 1000))} s left.</p>` : tileRow(tiles)}
${factList([['Outcomes so far', outcomesText(figures)]])}</section>`;
}

function outcomesText({ outcomes, capped }: LiveFigures): string | undefined {
  const all = [
    ...outcomes.map(([outcome, times]) => `${outcome}: ${count(times)}`),
    ...(capped === 0 ? [] : [`dropped by the limit: ${count(capped)}`]),
  ];
  return all.length === 0 ? undefined : all.join(', ');
}
