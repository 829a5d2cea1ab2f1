import { shown } from '../../core/text.ts';
import type { Distribution } from './distribution-record.ts';
import { type LoadRecord, phaseNames } from './load-record.ts';

/** A whole run in the text format of OpenMetrics 1.0. */
export function renderOpenMetrics(record: LoadRecord): string {
  const families = [
    runFamilies(record),
    requestFamilies(record),
    judgementFamilies(record),
    generatorFamilies(record),
    capacityFamily(record),
  ];
  return `${families.join('')}# EOF\n`;
}

function runFamilies({ target, profile, suite, result, ...record }: LoadRecord): string {
  const labels = { target: target.name, base_url: target.baseUrl, profile: profile.name, version: suite.version };
  const startedSeconds = Date.parse(record.startedAt) / 1000;
  return [
    metricFamily('info', 'awc_load_run', 'The target and the profile.', [{ suffix: '_info', labels, value: 1 }]),
    states('awc_load_result', 'The result of the run.', [{ labels: {}, state: result }], results),
    gauge('awc_load_started_timestamp_seconds', 'The start of the measured part.', startedSeconds),
    gauge('awc_load_measured_seconds', 'The duration of the measured part.', record.measuredMs / 1000),
    gauge('awc_load_throughput_per_second', 'Successful answers per second.', record.throughputPerSecond),
    gauge('awc_load_offered_per_second', 'Scheduled requests per second.', record.offeredPerSecond),
  ].join('');
}

const results = ['held', 'missed', 'unjudged', 'aborted', 'interrupted'] as const;
const verdicts = ['held', 'missed', 'unjudged'] as const;

function requestFamilies({ operations, steps, phases }: LoadRecord): string {
  const outcomes = operations.flatMap(({ operation, outcomes: own }) =>
    own.map(({ outcome, class: kind, ...measured }) => ({ labels: { operation, outcome, class: kind }, ...measured })),
  );
  const byOperation = (field: 'sent' | 'withheld' | 'capped') =>
    operations.map((measured) => ({ labels: { operation: measured.operation }, value: measured[field] }));
  const byOutcome = outcomes.map(({ labels, count }) => ({ labels, value: count }));
  const summaries = (field: 'latency' | 'service') => outcomes.flatMap((one) => summary(one.labels, one[field]));
  return [
    counter('awc_load_sent', 'Requests sent.', byOperation('sent')),
    counter('awc_load_withheld', 'Requests dropped because no chat was idle.', byOperation('withheld')),
    counter('awc_load_capped', 'Requests dropped because of the limit of the target file.', byOperation('capped')),
    counter('awc_load_requests', 'Finished requests, by outcome.', byOutcome),
    metricFamily('summary', 'awc_load_latency_seconds', 'Time from the schedule.', summaries('latency')),
    metricFamily('summary', 'awc_load_service_seconds', 'Time from the sending.', summaries('service')),
    metricFamily(
      'summary',
      'awc_load_step_seconds',
      'Time of a step of a flow, and of the flow.',
      stepSummaries(steps),
    ),
    metricFamily(
      'summary',
      'awc_load_phase_seconds',
      'Time in each phase after the request was sent.',
      phaseNames.flatMap((phase) => (phases[phase] === undefined ? [] : summary({ phase }, phases[phase]))),
    ),
  ].join('');
}

function stepSummaries(steps: LoadRecord['steps']): readonly MetricSample[] {
  return distinct(steps, ({ name }) => name).flatMap(({ name, outcomes }) =>
    distinct(outcomes, ({ outcome }) => outcome).flatMap(({ outcome, class: kind, latency }) =>
      summary({ step: name, outcome, class: kind }, latency),
    ),
  );
}

function judgementFamilies({ thresholds, validation, violations }: LoadRecord): string {
  const judged = distinct(thresholds, ({ text }) => text).map((one) => ({ ...one, labels: { threshold: one.text } }));
  const broken = distinct(violations, ({ rule, operation }) => `${operation} ${rule}`);
  return [
    states(
      'awc_load_threshold',
      'The verdict of each threshold.',
      judged.map(({ labels, verdict }) => ({ labels, state: verdict })),
      verdicts,
    ),
    metricFamily(
      'gauge',
      'awc_load_threshold_actual',
      'The value measured for a threshold: milliseconds, a share of 1, a rate per second, or a count.',
      judged.flatMap(({ labels, actual }) => (actual === undefined ? [] : [{ labels, value: actual }])),
    ),
    counter('awc_load_answers_checked', 'Answers checked, without the warm-up.', [{ value: validation.checked }]),
    counter('awc_load_answers_broken', 'Answers that violate the specification.', [{ value: validation.broken }]),
    counter('awc_load_findings', 'What is wrong with these answers.', [{ value: validation.findings }]),
    counter(
      'awc_load_violations',
      'Answers that violate a requirement, by requirement.',
      broken.map(({ rule, operation, count }) => ({ labels: { rule, operation }, value: count })),
    ),
  ].join('');
}

function generatorFamilies({ generator }: LoadRecord): string {
  const { verdict, lag, eventLoopUtilization, processCores, memoryMb, sockets } = generator;
  const lags = lag === undefined ? [] : summary({}, lag);
  return [
    gauge('awc_load_generator_fit', '1 if the generator kept up, otherwise 0.', verdict === 'fit' ? 1 : 0),
    metricFamily('summary', 'awc_load_generator_lag_seconds', 'How late requests were sent.', lags),
    gauge('awc_load_generator_event_loop_ratio', 'Utilization of the event loop.', eventLoopUtilization),
    gauge('awc_load_generator_cores', 'Processor cores in use.', processCores),
    gauge('awc_load_generator_memory_bytes', 'Memory in use.', memoryMb * 1024 * 1024),
    gauge('awc_load_generator_sockets', 'The peak of open sockets.', sockets.peak),
  ].join('');
}

function capacityFamily({ capacity }: LoadRecord): string {
  if (capacity?.result.kind !== 'found') return '';
  const { ratePerSecond, interval } = capacity.result;
  return metricFamily(
    'gauge',
    'awc_load_capacity_per_second',
    'The highest rate at which every threshold passed, and its 95% interval.',
    [
      { labels: { bound: 'held' }, value: ratePerSecond },
      { labels: { bound: 'low' }, value: interval.lowPerSecond },
      { labels: { bound: 'high' }, value: interval.highPerSecond },
    ],
  );
}

const quantiles = { '0.5': 'p50', '0.75': 'p75', '0.9': 'p90', '0.95': 'p95', '0.99': 'p99', '0.999': 'p999' } as const;

function summary(labels: Labels, distribution: Distribution): readonly MetricSample[] {
  const { count, mean } = distribution;
  return [
    ...Object.entries(quantiles).map(([quantile, point]) => ({
      labels: { ...labels, quantile },
      value: distribution[point] / 1000,
    })),
    { suffix: '_count', labels, value: count },
    { suffix: '_sum', labels, value: (mean * count) / 1000 },
  ];
}

function counter(name: string, help: string, samples: readonly MetricSample[]): string {
  return metricFamily(
    'counter',
    name,
    help,
    samples.map((sample) => ({ ...sample, suffix: '_total' })),
  );
}

function gauge(name: string, help: string, value: number | undefined): string {
  return metricFamily('gauge', name, help, value === undefined ? [] : [{ value }]);
}

/** Each of the states: 1 for the current one, 0 for the others. */
function states(
  name: string,
  help: string,
  of: readonly { readonly labels: Labels; readonly state: string }[],
  all: readonly string[],
): string {
  const samples = of.flatMap(({ labels, state }) =>
    all.map((one) => ({ labels: { ...labels, [name]: one }, value: one === state ? 1 : 0 })),
  );
  return metricFamily('stateset', name, help, samples);
}

/** The last item of each key: a repeated series would make the whole text invalid. */
function distinct<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

type Labels = Readonly<Record<string, string>>;

/** A line of a family. The suffix follows its name: `_total`, `_count`. */
type MetricSample = { readonly suffix?: string; readonly labels?: Labels; readonly value: number };

type MetricType = 'counter' | 'gauge' | 'summary' | 'info' | 'stateset';

/** Longer labels are cut: a backend would drop the whole payload. */
const maxLabel = 500;

/** A family in the text format of OpenMetrics; empty without samples. A name that ends with a unit declares it. */
function metricFamily(type: MetricType, name: string, help: string, samples: readonly MetricSample[]): string {
  if (samples.length === 0) return '';
  const unit = /_(seconds|bytes|ratio)$/.exec(name)?.[1];
  const lines = [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelSet(labels)} ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

function labelSet(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(shown(value, maxLabel))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replace(/["\\]/g, (character) => `\\${character}`);
}
