import { redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import { longestOf } from '../../reports/load/latencies.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { bucketOf, wholeUs } from '../measure/histogram.ts';
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
    atMs: Math.round(atMs * 1000) / 1000,
    latencyMs: shownMs(latencyMs),
    serviceMs: shownMs(serviceMs),
    traceId,
    ...(link === undefined ? {} : { traceUrl: link.replaceAll('{traceId}', traceId) }),
  });
}

/** As histograms report it: otherwise the slowest request would differ from the maximum beside it. */
function shownMs(ms: number): number {
  return longestOf(bucketOf(wholeUs(ms))) / 1000;
}
