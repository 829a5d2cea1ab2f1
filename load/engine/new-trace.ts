import { randomBytes } from 'node:crypto';
import type { Trace } from '../../core/http.ts';

const digitsOfTrace = 32;
/** To ask for random bytes takes longer than to use them, so traces share what is asked for. */
const tracesAtOnce = 128;

/** New traces that the deployment is not asked to record: recording every request would change what a load measures. */
export function createTraces(): () => Trace {
  let digits = '';
  let used = 0;
  return () => {
    if (used === digits.length) {
      digits = randomBytes((tracesAtOnce * digitsOfTrace) / 2).toString('hex');
      used = 0;
    }
    const traceId = digits.slice(used, used + digitsOfTrace);
    used += digitsOfTrace;
    return { traceId, spanId: traceId.slice(digitsOfTrace / 2), isRecorded: false };
  };
}
