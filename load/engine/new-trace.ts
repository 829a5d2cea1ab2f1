import { randomUUID } from 'node:crypto';
import type { Trace } from '../../core/http.ts';

/** A trace that the deployment is not asked to record: recording every request would change what a load measures. */
export function newTrace(): Trace {
  const traceId = randomUUID().replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16), isRecorded: false };
}
