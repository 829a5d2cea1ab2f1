import { factList, foldedIfLong, mark, section } from '../../page/elements.ts';
import { type Markup, markup } from '../../page/markup.ts';
import { page } from '../../page/page.ts';
import { type Contents, mainMarkup } from '../../page/parts.ts';
import { style } from '../../page/style.ts';
import { script } from '../../page/script.ts';
import { usedUpSection } from '../../page/used-up-section.ts';
import { compared } from '../../run/page/compared.ts';
import { timeline } from '../../run/page/timeline.ts';
import { count, duration, latencyFigure, percent, rateFigure, some } from '../../text/figures.ts';
import { toneSigns } from '../../text/tones.ts';
import { capacityChart } from '../charts/capacity-chart.ts';
import { lagChart } from '../charts/lag-chart.ts';
import { latencyChart } from '../charts/latency-chart.ts';
import { outcomeChart } from '../charts/outcome-chart.ts';
import { overTime } from '../charts/over-time.ts';
import { percentileChart } from '../charts/percentile-chart.ts';
import { serverCharts } from '../charts/server-charts.ts';
import { throughputChart } from '../charts/throughput-chart.ts';
import type { CapacityRecord } from '../capacity-record.ts';
import { failedTrials } from '../failed-trials.ts';
import { latencyLimits, throughputLimits } from '../limits.ts';
import type { LiveLoad } from '../live-load.ts';
import type { LoadRecord } from '../load-record.ts';
import { environmentText, generatorReadings, lagText, resultReadings, violationAmount } from '../load-words.ts';
import { timeSeries } from '../time-series.ts';
import { loadHeading, nowPart, running } from './heading.ts';
import { factTable, readingMark, thresholdTable } from './judged-tables.ts';
import { loadStyle } from './load-style.ts';
import { slowestTable, slowStepsTable } from './slow-tables.ts';
import { operationTable, phaseTable, stepTable } from './operation-table.ts';

/** A chart cannot show more points. The format `ndjson` has all of them. */
const maxPoints = 120;

/** More violations are closed at first. */
const maxOpen = 3;

/** A load run as one page that needs no other file. */
export function renderLoadHtml(record: LoadRecord): string {
  const contents = loadContents(record);
  const { title, footer } = contents;
  return page({
    title,
    style: style + loadStyle,
    script,
    skip: 'Skip to the figures',
    main: mainMarkup(contents),
    footer,
  });
}

/** A load run, finished or with `live` in progress. */
export function loadContents(record: LoadRecord, live?: LiveLoad): Contents {
  const { format, suite, target, profile, result } = record;
  const [whole] = timeSeries(record, 1);
  const { word } = live === undefined ? resultReadings[result] : running;
  const latency = whole?.latency ?? { count: 0, buckets: [] };
  return {
    title: `${word}: ${profile.name} on ${target.name}`,
    top: [
      { name: 'heading', content: loadHeading(record, latency, live !== undefined) },
      { name: 'now', content: live && nowPart(live) },
    ],
    sections: [
      { name: 'thresholds', content: thresholdTable(record) },
      { name: 'answers', content: factTable(record) },
      { name: 'violations', content: violationSection(record) },
      { name: 'capacity', content: capacitySection(record) },
      { name: 'charts', content: chartSection(record, live !== undefined) },
      { name: 'steps', content: stepTable(record) },
      { name: 'operations', content: operationTable(record) },
      { name: 'phases', content: phaseTable(record) },
      { name: 'slow-steps', content: slowStepsTable(record) },
      { name: 'slowest', content: slowestTable(record) },
      // How the generator used its sockets is known only when the run is over.
      { name: 'generator', content: live === undefined ? generatorSection(record) : undefined },
      { name: 'used-up', content: usedUpSection(record.usedUp) },
    ],
    footer: markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}. Profile digest: <code>${profile.digest}</code>. API keys are replaced by the names of
their variables.`,
  };
}

function capacitySection(record: LoadRecord): Markup | undefined {
  const { capacity } = record;
  if (capacity === undefined || capacity.trials.length === 0) return undefined;
  const chart = capacityChart(capacity, latencyLimits(record));
  const lead = failedTrials(capacity);
  return section(
    { id: 'capacity', title: 'Capacity', ...(lead === undefined ? {} : { lead }) },
    markup`${chart}${brokeFinding(capacity)}`,
  );
}

/** The requirement that broke at the lowest rate, with its proof. */
function brokeFinding({ broke }: CapacityRecord): Markup | undefined {
  if (broke === undefined) return undefined;
  const { requirement, sentence, ratePerSecond, proof } = broke;
  return markup`<details class="finding is-bad" open><summary><h3>${sentence}</h3>
<span class="meta">${mark('is-bad', toneSigns.bad, 'broke first')} <code>${requirement}</code> <span>at ${rateFigure(ratePerSecond)}/s</span></span></summary>
<div class="inside">${compared(proof.expected, proof.actual)}${timeline(proof.exchanges)}</div></details>`;
}

function chartSection(record: LoadRecord, isLive: boolean): Markup | undefined {
  const [whole] = timeSeries(record, 1);
  if (whole === undefined) return undefined;
  const time = overTime(timeSeries(record, maxPoints));
  const { lag } = record.generator;
  const isTimed = whole.latency.count > 0;
  const leads = [
    ...(record.capacity === undefined
      ? []
      : [`These charts show ${isLive ? 'the trial in progress' : 'the last trial that passed'}.`]),
    ...(record.profile.kind === 'closed'
      ? ['Each connection waits for its answer before it sends again, so latencies look better than users see them.']
      : []),
  ];
  return section(
    { id: 'charts', title: 'Charts', ...(leads.length === 0 ? {} : { lead: leads.join(' ') }) },
    markup`${isTimed ? latencyChart(time, latencyLimits(record)) : undefined}
${isTimed ? percentileChart(whole, latencyLimits(record)) : undefined}
${throughputChart(time, record.offeredPerSecond !== undefined, throughputLimits(record))}
${outcomeChart(time)}
${lag === undefined ? undefined : lagChart(time, lag)}
${record.server === undefined ? undefined : serverCharts(time, record.server)}`,
  );
}

/** The requirements that answers violated under load, each with exchanges as evidence. */
function violationSection({ violations, validation }: LoadRecord): Markup | undefined {
  if (violations.length === 0) return undefined;
  const { broken, checked, findings } = validation;
  const more = findings > broken ? `, with ${some(findings, 'finding')}` : '';
  const lead = `${count(broken)} of ${count(checked)} checked answers violate the specification${more}.`;
  const { length } = violations;
  const list = { label: 'Violations', rows: '#violations .finding', length, summary: some(length, 'violation') };
  const title = { id: 'violations', title: 'Violations', count: length, lead };
  return section(
    title,
    foldedIfLong(
      list,
      violations.map((violation) => {
        const { rule, sentence, proofs } = violation;
        const evidence = proofs.map(
          ({ expected, actual, exchange }) => markup`${compared(expected, actual)}${timeline([exchange])}`,
        );
        return markup`<details class="finding is-bad"${length > maxOpen ? undefined : markup` open`}><summary><h3>${sentence}</h3>
<span class="meta">${mark('is-bad', toneSigns.bad, 'violated')} <code>${rule}</code> <span>by ${violationAmount(violation)}</span></span></summary>
<div class="inside">${evidence}</div></details>`;
      }),
    ),
  );
}

/** Whether the generator kept up, so that the figures are the target's. */
function generatorSection({ generator }: LoadRecord): Markup {
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
