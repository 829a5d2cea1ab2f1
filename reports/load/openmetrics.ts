import type { Distribution, LoadRecord } from './load-record.ts';
import { metricFamily, type Labels, type MetricFamily, type MetricSample } from './metric-family.ts';

/** What a whole run amounts to, in the text format of OpenMetrics 1.0. */
export function renderOpenMetrics(record: LoadRecord): string {
  const families = [
    ...runFamilies(record),
    ...requestFamilies(record),
    ...judgementFamilies(record),
    ...generatorFamilies(record),
    ...capacityFamilies(record),
  ];
  return `${families.map(metricFamily).join('')}# EOF\n`;
}

function runFamilies(record: LoadRecord): readonly MetricFamily[] {
  const { target, profile, suite, result, startedAt, measuredMs, throughputPerSecond, offeredPerSecond } = record;
  const labels = { target: target.name, base_url: target.baseUrl, profile: profile.name, version: suite.version };
  return [
    info('awc_load_run', 'What was run against what.', labels),
    states('awc_load_result', 'What the run amounts to.', [{ labels: {}, state: result }], results),
    gauge(
      'awc_load_started_timestamp_seconds',
      'When the measured part began.',
      Date.parse(startedAt) / 1000,
      'seconds',
    ),
    gauge('awc_load_measured_seconds', 'How long the measured part took.', measuredMs / 1000, 'seconds'),
    gauge('awc_load_throughput_per_second', 'Successful answers a second.', throughputPerSecond),
    gauge('awc_load_offered_per_second', 'Requests a second that the schedule asked for.', offeredPerSecond),
  ];
}

const results = [
  'held',
  'missed',
  'unjudged',
  'aborted',
  'interrupted',
] as const satisfies readonly LoadRecord['result'][];
const verdicts = ['held', 'missed', 'unjudged'] as const;

function requestFamilies({ operations }: LoadRecord): readonly MetricFamily[] {
  const outcomes = operations.flatMap(({ operation, outcomes: own }) =>
    own.map(({ outcome, class: kind, count, latency, service }) => ({
      labels: { operation, outcome, class: kind },
      count,
      latency,
      service,
    })),
  );
  return [
    counter('awc_load_sent', 'Requests of which the sending was begun.', byOperation(operations, 'sent')),
    counter(
      'awc_load_withheld',
      'Requests that nothing idle was left to send to.',
      byOperation(operations, 'withheld'),
    ),
    counter(
      'awc_load_requests',
      'Requests that are over, by what became of them.',
      outcomes.map(({ labels, count }) => ({ labels, value: count })),
    ),
    {
      name: 'awc_load_latency_seconds',
      type: 'summary',
      unit: 'seconds',
      help: 'From the instant a request was due.',
      samples: outcomes.flatMap(({ labels, latency }) => summary(labels, latency)),
    },
    {
      name: 'awc_load_service_seconds',
      type: 'summary',
      unit: 'seconds',
      help: 'From the moment a request was sent.',
      samples: outcomes.flatMap(({ labels, service }) => summary(labels, service)),
    },
  ];
}

function byOperation(operations: LoadRecord['operations'], what: 'sent' | 'withheld'): readonly MetricSample[] {
  return operations.map((measured) => ({ labels: { operation: measured.operation }, value: measured[what] }));
}

function judgementFamilies({ thresholds, validation, violations }: LoadRecord): readonly MetricFamily[] {
  return [
    states(
      'awc_load_threshold',
      'Whether a threshold held.',
      distinct(thresholds, ({ text }) => text).map(({ text, verdict }) => ({
        labels: { threshold: text },
        state: verdict,
      })),
      verdicts,
    ),
    {
      name: 'awc_load_threshold_actual',
      type: 'gauge',
      help: 'What was measured for a threshold: milliseconds, a share of 1, a number a second, or a count.',
      samples: distinct(thresholds, ({ text }) => text).flatMap(({ text, actual }) =>
        actual === undefined ? [] : [{ labels: { threshold: text }, value: actual }],
      ),
    },
    counter('awc_load_answers_checked', 'Answers held against the schemas.', [{ value: validation.checked }]),
    counter('awc_load_answers_broken', 'Answers that broke a promise.', [{ value: validation.broken }]),
    counter(
      'awc_load_violations',
      'Answers that broke it, by promise.',
      distinct(violations, ({ rule, operation }) => `${operation} ${rule}`).map(({ rule, operation, count }) => ({
        labels: { rule, operation },
        value: count,
      })),
    ),
  ];
}

function generatorFamilies({ generator }: LoadRecord): readonly MetricFamily[] {
  const { verdict, lag, eventLoopUtilization, processCores, memoryMb, sockets } = generator;
  return [
    gauge('awc_load_generator_fit', 'Whether the figures are those of the target: 1, or 0.', verdict === 'fit' ? 1 : 0),
    {
      name: 'awc_load_generator_lag_seconds',
      type: 'summary',
      unit: 'seconds',
      help: 'How late requests were sent.',
      samples: lag === undefined ? [] : summary({}, lag),
    },
    gauge('awc_load_generator_event_loop_ratio', 'How busy the event loop was.', eventLoopUtilization, 'ratio'),
    gauge('awc_load_generator_cores', 'Processor cores in use.', processCores),
    gauge('awc_load_generator_memory_bytes', 'Memory in use.', memoryMb * 1024 * 1024, 'bytes'),
    gauge('awc_load_generator_sockets', 'The most sockets in use at once.', sockets.peak),
  ];
}

function capacityFamilies({ capacity }: LoadRecord): readonly MetricFamily[] {
  if (capacity?.result.kind !== 'found') return [];
  const { ratePerSecond, interval } = capacity.result;
  return [
    {
      name: 'awc_load_capacity_per_second',
      type: 'gauge',
      help: 'The highest rate at which every threshold held, and its 95% interval.',
      samples: [
        { labels: { bound: 'held' }, value: ratePerSecond },
        { labels: { bound: 'low' }, value: interval.lowPerSecond },
        { labels: { bound: 'high' }, value: interval.highPerSecond },
      ],
    },
  ];
}

const quantiles = [
  ['0.5', 'p50'],
  ['0.75', 'p75'],
  ['0.9', 'p90'],
  ['0.95', 'p95'],
  ['0.99', 'p99'],
  ['0.999', 'p999'],
] as const;

function summary(labels: Labels, distribution: Distribution): readonly MetricSample[] {
  const { count, mean } = distribution;
  return [
    ...quantiles.map(([quantile, point]) => ({ labels: { ...labels, quantile }, value: distribution[point] / 1000 })),
    { suffix: '_count', labels, value: count },
    { suffix: '_sum', labels, value: (mean * count) / 1000 },
  ];
}

function counter(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'counter', help, samples: samples.map((sample) => ({ ...sample, suffix: '_total' })) };
}

function gauge(name: string, help: string, value: number | undefined, unit?: MetricFamily['unit']): MetricFamily {
  return { name, type: 'gauge', help, ...(unit && { unit }), samples: value === undefined ? [] : [{ value }] };
}

function info(name: string, help: string, labels: Labels): MetricFamily {
  return { name, type: 'info', help, samples: [{ suffix: '_info', labels, value: 1 }] };
}

/** Each of the states with 1 for the one that is true. */
function states(
  name: string,
  help: string,
  of: readonly { readonly labels: Labels; readonly state: string }[],
  all: readonly string[],
): MetricFamily {
  const samples = of.flatMap(({ labels, state }) =>
    all.map((one) => ({ labels: { ...labels, [name]: one }, value: one === state ? 1 : 0 })),
  );
  return { name, type: 'stateset', help, samples };
}

/** One of each: a series that is told twice makes the whole text invalid. */
function distinct<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
