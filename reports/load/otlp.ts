import { shown } from '../../core/text.ts';
import type { Operation } from '../../spec/requirement.ts';
import { type LoadRecord, outcomeClasses } from './load-record.ts';
import { safeJson } from '../text/safe-json.ts';
import { type Latencies, longestOf } from './latencies.ts';
import { type TimePoint, timeSeries } from './time-series.ts';

/** Bounds of the latency histogram, in seconds: those that OpenTelemetry recommends for HTTP, and finer ones below. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];

/** Longer texts are cut. */
const maxText = 500;

/** AGGREGATION_TEMPORALITY_CUMULATIVE: each point counts from the beginning of the run. Many backends reject anything else. */
const cumulative = 2;

/** The part of a run whose points are written, in milliseconds of its measured time: after the first, to the second. */
export type OtlpPart = { readonly afterMs: number; readonly toMs: number };

/** The time series of a run as OTLP metrics in JSON, for `/v1/metrics`. Each point counts from the beginning, in every part. */
export function renderOtlp(record: LoadRecord, { afterMs, toMs }: OtlpPart = { afterMs: 0, toMs: Infinity }): string {
  const { suite, target, profile, seed, startedAt } = record;
  const points = timeSeries(record, Infinity);
  const startedMs = Date.parse(startedAt);
  const isWritten = (point: TimePoint): boolean => point.toMs > afterMs && point.toMs <= toMs;
  const instants: Instants = { startedMs, points, isWritten };
  const isOver = toMs === Infinity;
  const exemplars = exemplarsOf(record, points, isOver);
  const metrics = [
    requestSum(
      'awc.load.due',
      'Scheduled requests.',
      running(instants, ({ due }) => due),
    ),
    requestSum(
      'awc.load.requests',
      'Finished requests, by outcome.',
      outcomeClasses
        .filter((kind) => points.some(({ classes }) => classes.has(kind)))
        .flatMap((kind) =>
          running(instants, ({ classes }) => classes.get(kind) ?? 0, attributes({ 'awc.outcome': kind })),
        ),
    ),
    {
      ...named('awc.load.latency', 's', 'Latency of successes and timeouts, from the scheduled time.'),
      histogram: { aggregationTemporality: cumulative, dataPoints: latencyPoints(instants, exemplars) },
    },
    ...(record.generator.lag === undefined ? [] : [lagGauge(instants)]),
  ];
  const resource = attributes({
    'service.name': 'awc-load',
    'service.version': suite.version,
    'awc.target': target.name,
    'awc.base_url': target.baseUrl,
    'awc.profile': profile.name,
    'awc.seed': String(seed),
    ...(isOver ? { 'awc.result': record.result } : {}),
  });
  const scope = { name: shown(suite.name, maxText), version: shown(suite.version, maxText) };
  return safeJson({ resourceMetrics: [{ resource: { attributes: resource }, scopeMetrics: [{ scope, metrics }] }] });
}

type Instants = {
  readonly startedMs: number;
  readonly points: readonly TimePoint[];
  readonly isWritten: (point: TimePoint) => boolean;
};

function named(name: string, unit: string, description: string) {
  return { name, unit, description };
}

function requestSum(name: string, description: string, dataPoints: readonly unknown[]) {
  return {
    ...named(name, '{request}', description),
    sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints },
  };
}

function lagGauge({ startedMs, points, isWritten }: Instants) {
  const dataPoints = points.filter(isWritten).map(({ toMs, lagMaxMs }) => ({
    timeUnixNano: nanos(startedMs + toMs),
    asDouble: lagMaxMs / 1000,
  }));
  return {
    ...named('awc.load.lag.max', 's', 'The longest delay between schedule and sending.'),
    gauge: { dataPoints },
  };
}

function running(
  { startedMs, points, isWritten }: Instants,
  count: (point: TimePoint) => number,
  own: readonly unknown[] = [],
): readonly unknown[] {
  let total = 0;
  return points.flatMap((point) => {
    total += count(point);
    return isWritten(point) ? { ...during(startedMs, point), attributes: own, asInt: String(total) } : [];
  });
}

function latencyPoints({ startedMs, points, isWritten }: Instants, exemplars: Exemplars): readonly unknown[] {
  const operations = [...new Set(points.flatMap(({ byOperation }) => [...byOperation.keys()]))];
  return operations.flatMap((operation) => {
    let total: Histogram = { count: 0, seconds: 0, range: undefined, counts: Array(bounds.length + 1).fill(0) };
    return points.flatMap((point) => {
      total = plus(total, point.byOperation.get(operation)?.buckets ?? []);
      if (!isWritten(point)) return [];
      const { count, seconds, range, counts } = total;
      return {
        ...during(startedMs, point),
        attributes: attributes({ 'awc.operation': operation }),
        count: String(count),
        sum: seconds,
        ...range,
        bucketCounts: counts.map(String),
        explicitBounds: bounds,
        ...exemplars(operation, point),
      };
    });
  });
}

type Exemplars = (operation: Operation, point: TimePoint) => { readonly exemplars?: readonly unknown[] };

/** The slowest requests by the interval in which they ended: then the histogram counts them. Of a run that is over, the last has the rest. */
function exemplarsOf({ startedAt, slowest }: LoadRecord, points: readonly TimePoint[], isOver: boolean): Exemplars {
  const startedMs = Date.parse(startedAt);
  const last = isOver ? points.at(-1) : undefined;
  const timed = slowest
    .filter(({ class: kind }) => kind === 'ok' || kind === 'timeout')
    .map((request) => ({ ...request, endedMs: request.atMs + request.latencyMs }));
  return (operation, point) => {
    const own = timed.filter(
      (one) =>
        one.operation === operation && one.endedMs > point.fromMs && (one.endedMs <= point.toMs || point === last),
    );
    if (own.length === 0) return {};
    const exemplars = own.map(({ endedMs, latencyMs, traceId }) => ({
      timeUnixNano: nanos(startedMs + endedMs),
      asDouble: latencyMs / 1000,
      traceId,
    }));
    return { exemplars };
  };
}

type Histogram = {
  readonly count: number;
  readonly seconds: number;
  /** In seconds; undefined while nothing was answered. */
  readonly range: { readonly min: number; readonly max: number } | undefined;
  /** One more than there are bounds. */
  readonly counts: readonly number[];
};

function plus(before: Histogram, buckets: Latencies['buckets']): Histogram {
  let { count, seconds, range } = before;
  const counts = [...before.counts];
  for (const [us, times] of buckets) {
    const time = longestOf(us) / 1e6;
    const place = bounds.findIndex((bound) => time <= bound);
    const index = place < 0 ? bounds.length : place;
    counts[index] = (counts[index] ?? 0) + times;
    count += times;
    seconds += time * times;
    range = { min: Math.min(range?.min ?? time, time), max: Math.max(range?.max ?? time, time) };
  }
  return { count, seconds, range, counts };
}

function during(startedMs: number, { toMs }: TimePoint) {
  return { startTimeUnixNano: nanos(startedMs), timeUnixNano: nanos(startedMs + toMs) };
}

function nanos(ms: number): string {
  return String(BigInt(Math.max(0, Math.round(ms))) * 1_000_000n);
}

/** Escaped, because half a surrogate pair would make the whole payload invalid. */
function attributes(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([key, text]) => ({ key, value: { stringValue: shown(text, maxText) } }));
}
