import { type Markup, markup } from '../../page/markup.ts';
import { navigation } from '../../page/navigation.ts';
import { page } from '../../page/page.ts';
import { style } from '../../page/style.ts';
import type { LoadRecord } from '../load-record.ts';
import { capacityChart } from '../charts/capacity-chart.ts';
import { factTable } from './fact-table.ts';
import { generatorSection } from './generator-section.ts';
import { lagChart } from '../charts/lag-chart.ts';
import { latencyChart } from '../charts/latency-chart.ts';
import { loadHeading } from './load-heading.ts';
import { loadStyle } from './load-style.ts';
import { operationTable } from './operation-table.ts';
import { outcomeChart } from '../charts/outcome-chart.ts';
import { overTime } from '../charts/over-time.ts';
import { percentileChart } from '../charts/percentile-chart.ts';
import { resultWords } from './result-word.ts';
import { thresholdTable } from './threshold-table.ts';
import { throughputChart } from '../charts/throughput-chart.ts';
import { timeSeries } from '../time-series.ts';
import { violationList } from './violation-list.ts';

/** More points than this nobody tells apart; `ndjson` has every one. */
const mostPoints = 120;

/** A load run as one page that needs nothing but itself. */
export function renderLoadHtml(record: LoadRecord): string {
  const { format, suite, target, profile, result } = record;
  const [whole] = timeSeries(record, 1);
  const parts: readonly (readonly [string, Markup | undefined])[] = [
    ['thresholds', thresholdTable(record)],
    ['answers', factTable(record)],
    ['violations', violationList(record)],
    ['capacity', capacitySection(record)],
    ['charts', charts(record)],
    ['operations', record.operations.length === 0 ? undefined : operationTable(record)],
    ['generator', generatorSection(record)],
  ];
  const present = parts.filter(([, part]) => part !== undefined);
  return page({
    title: `${resultWords[result].word}: ${profile.name} on ${target.name}`,
    style: style + loadStyle,
    skip: 'Skip to the figures',
    main: markup`${loadHeading(record, whole?.latency ?? { count: 0, buckets: [] })}
${navigation(present.map(([name]) => name))}
<div id="content" tabindex="-1">${present.map(
      ([, part]) => markup`${part}
`,
    )}</div>`,
    footer: markup`Made from <code>${format}</code> by ${suite.name} ${suite.version}; the profile's digest is <code>${profile.digest}</code>. Keys are replaced by the names of
their variables.`,
  });
}

function capacitySection({ capacity }: LoadRecord): Markup | undefined {
  if (capacity === undefined || capacity.trials.length === 0) return undefined;
  return markup`<section id="capacity" aria-labelledby="capacity-title"><h2 id="capacity-title">Capacity</h2>
${capacityChart(capacity)}</section>`;
}

function charts(record: LoadRecord): Markup | undefined {
  const [whole] = timeSeries(record, 1);
  if (whole === undefined) return undefined;
  const time = overTime(timeSeries(record, mostPoints));
  const { lag } = record.generator;
  const isTimed = whole.latency.count > 0;
  const lead = record.capacity === undefined ? undefined : markup`<p class="lead">Of the last trial that held.</p>`;
  const caution =
    record.profile.kind === 'closed'
      ? markup`<p class="lead">Each connection sends only once it was answered, so these latencies flatter the target: read the throughput.</p>`
      : undefined;
  return markup`<section id="charts" aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2>${lead}${caution}
${isTimed ? latencyChart(time) : undefined}
${isTimed ? percentileChart(whole) : undefined}
${throughputChart(time, record.offeredPerSecond !== undefined)}
${outcomeChart(time)}
${lag === undefined ? undefined : lagChart(time, lag)}</section>`;
}
