import { z } from 'zod';
import type { HistoryFormat } from '../../reports/history/history-file.ts';

/** The format of a line. */
export const loadHistoryFormat = 'awc-history/1';

const positive = z.number().positive();

const runSchema = z.strictObject({
  format: z.literal(loadHistoryFormat),
  /** Runs of one series are comparable: they have the same target and the same profile. */
  series: z.string().min(1).max(200),
  /** The name of the build. */
  build: z.string().max(200),
  /** When the run began, ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  /** Latencies in microseconds, throughput in answers a second. */
  figures: z.strictObject({ p50: positive, p90: positive, p95: positive, p99: positive, throughput: positive }),
});

/** One load in a history. */
export type HistoryRun = z.infer<typeof runSchema>;

/** The history of loads. */
export const loadHistory: HistoryFormat<HistoryRun> = { schema: runSchema, longestLine: 4000 };
