import { z } from 'zod';
import type { HistoryFormat } from '../../reports/history/history-file.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { generatorReadings } from '../../reports/load/load-words.ts';
import { figures } from './render/figure.ts';
import { figuresOfTrial, trialOfRecord } from './trial-of-record.ts';

/** The format of a line. */
const loadHistoryFormat = 'awc-history/1';

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

const longestName = 80;
const digestDigits = 8;

/**
 * Identifies runs that are comparable over time: the same target, exactly the same profile, and the same number of rounds,
 * because the mean of several rounds varies less than one.
 */
export function seriesOf(records: readonly LoadRecord[]): string {
  const [first] = records;
  if (first === undefined) return 'nothing';
  const { target, profile } = first;
  const digest = profile.digest.replace(/^sha256:/, '').slice(0, digestDigits);
  const rounds = records.length === 1 ? '' : ` ×${records.length}`;
  return `${target.name.slice(0, longestName)} ${profile.name.slice(0, longestName)} ${digest}${rounds}`;
}

/** The runs of a build as one line of a history, or the reason why they are not added. */
export function historyRunOf(
  records: readonly LoadRecord[],
  build: string,
): { readonly run: HistoryRun } | { readonly reason: string } {
  const [first] = records;
  if (first === undefined) return { reason: 'there was no run' };
  for (const { result, generator } of records) {
    if (result === 'interrupted' || result === 'aborted') return { reason: `a run was ${result}` };
    if (generator.verdict !== 'fit')
      return { reason: `the generator was ${generatorReadings[generator.verdict].word}` };
  }
  const found = figuresOfTrial({ blocks: records.flatMap((record) => trialOfRecord(record).blocks) });
  if (figures.some((figure) => !(found[figure] > 0))) return { reason: 'there was no answer' };
  return { run: { format: loadHistoryFormat, series: seriesOf(records), build, at: first.startedAt, figures: found } };
}
