import type { LoadRecord } from './load-record.ts';
import { safeJsonLine } from '../text/safe-json.ts';
import { type Latencies, latencyMs } from './page/latencies.ts';
import { timeSeries } from './time-series.ts';

/** The time series, a line of JSON for each slice; every line can stand alone. */
export function renderLoadNdjson(record: LoadRecord): string {
  const { target, profile, startedAt } = record;
  const startedMs = Date.parse(startedAt);
  const lines = timeSeries(record, Infinity).map(({ fromMs, toMs, due, classes, lagMaxMs, latency, byOperation }) =>
    safeJsonLine({
      at: instant(startedMs + fromMs),
      target: target.name,
      profile: profile.name,
      fromMs,
      toMs,
      due,
      outcomes: Object.fromEntries(classes),
      lagMaxMs: record.generator.lag === undefined ? undefined : lagMaxMs,
      latency: latencyFigures(latency),
      operations: Object.fromEntries([...byOperation].map(([operation, own]) => [operation, latencyFigures(own)])),
    }),
  );
  return lines.join('');
}

/** In milliseconds; without times where nothing was answered. */
function latencyFigures(latency: Latencies) {
  const { count } = latency;
  const at = (share: number) => latencyMs(latency, share);
  return { count, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** A record's times may be any; beyond the calendar there is no instant to tell. */
function instant(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
