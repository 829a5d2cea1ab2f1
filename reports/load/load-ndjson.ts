import type { LoadRecord } from './load-record.ts';
import { safeJsonLine } from '../text/safe-json.ts';
import { type Latencies, latencyMs } from './latencies.ts';
import { timeSeries } from './time-series.ts';

/** The time series as NDJSON: a line for each slice, complete in itself. */
export function renderLoadNdjson(record: LoadRecord): string {
  const { target, profile, startedAt } = record;
  const startedMs = Date.parse(startedAt);
  const lines = timeSeries(record, Infinity).map(
    ({ fromMs, toMs, due, arrived, classes, lagMaxMs, latency, byOperation }) =>
      safeJsonLine({
        at: instant(startedMs + fromMs),
        target: target.name,
        profile: profile.name,
        fromMs,
        toMs,
        due,
        arrived,
        outcomes: Object.fromEntries(classes),
        lagMaxMs: record.generator.lag === undefined ? undefined : lagMaxMs,
        latency: latencyFigures(latency),
        operations: Object.fromEntries([...byOperation].map(([operation, own]) => [operation, latencyFigures(own)])),
      }),
  );
  return lines.join('');
}

/** In milliseconds; undefined where nothing was answered. */
function latencyFigures(latency: Latencies) {
  const { count } = latency;
  const at = (share: number) => latencyMs(latency, share);
  return { count, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** Undefined for a time outside the calendar: a record may contain any number. */
function instant(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
