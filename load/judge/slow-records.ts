import { redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { classOf } from '../measure/outcome.ts';
import type { SlowRequest } from '../measure/slowest.ts';

type SlowRecord = LoadRecord['slowest'][number];

/** Makes records of slow requests. No trace ID is a key, so looking for keys in the link once is enough. */
export function createSlowRecords(target: Target): (request: SlowRequest) => SlowRecord {
  const { traceLink } = target;
  const link = traceLink === undefined ? undefined : redactorOf(target).text(traceLink);
  return ({ operation, outcome, atMs, latencyMs, serviceMs, traceId }) => ({
    operation,
    outcome: String(outcome),
    class: classOf(outcome, operation),
    atMs: toUs(atMs),
    latencyMs: toUs(latencyMs),
    serviceMs: toUs(serviceMs),
    traceId,
    ...(link === undefined ? {} : { traceUrl: link.replaceAll('{traceId}', traceId) }),
  });
}

/** Microseconds are enough, as in the histograms. */
function toUs(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}
