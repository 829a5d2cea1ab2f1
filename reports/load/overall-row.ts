import { latencyFigure } from '../text/figures.ts';
import { meaningfulMs } from './latencies.ts';
import type { LoadRecord } from './load-record.ts';
import { timeSeries } from './time-series.ts';

export const overallName = 'all';

/** Successes and timeouts of all operations, as a row of the same tables; undefined where that is a row by itself. */
export function overallRow(
  record: LoadRecord,
): { readonly outcome: string; readonly count: number; readonly figures: readonly string[] } | undefined {
  const rows = record.operations.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const [whole] = timeSeries(record, 1);
  if (rows < 2 || whole === undefined || whole.latency.count === 0) return undefined;
  const { latency } = whole;
  const hasTimeouts = record.operations.some(({ outcomes }) => outcomes.some((outcome) => outcome.class === 'timeout'));
  return {
    outcome: hasTimeouts ? 'ok, timeout' : 'ok',
    count: latency.count,
    figures: [0.5, 0.95, 0.99, 1].map((share) => latencyFigure(meaningfulMs(latency, share))),
  };
}
