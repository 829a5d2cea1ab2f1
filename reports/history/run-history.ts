import { z } from 'zod';
import type { RunRecord } from '../record/record.ts';
import type { HistoryFormat } from './history-file.ts';

/** The format of a line. */
const runHistoryFormat = 'awc-run-history/1';

const lineSchema = z.strictObject({
  format: z.literal(runHistoryFormat),
  /** The target's name: its runs are compared with one another. */
  series: z.string().min(1).max(200),
  /** The name of the build; empty if it was not given. */
  build: z.string().max(200),
  /** When the run began, ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  /** Of each requirement that the run exercised or could not exercise. */
  verdicts: z.record(z.string().max(200), z.enum(['passed', 'failed', 'warned', 'waived', 'blocked', 'errored'])),
});

/** One conformance run in a history. */
export type RunHistoryLine = z.infer<typeof lineSchema>;

/** The history of conformance runs. */
export const runHistory: HistoryFormat<RunHistoryLine> = { schema: lineSchema, longestLine: 100_000 };

const longestSeries = 200;

export function seriesOf({ target }: RunRecord): string {
  return target.name.slice(0, longestSeries);
}

/** A run as a line of a history, or the reason why it is not added. */
export function historyLineOf(
  record: RunRecord,
  build: string,
): { readonly line: RunHistoryLine } | { readonly reason: string } {
  if (record.result === 'interrupted') return { reason: 'the run was interrupted' };
  if (record.result === 'errored') return { reason: 'the run ended with an error' };
  const verdicts: RunHistoryLine['verdicts'] = {};
  for (const { id, verdict } of record.requirements) {
    if (verdict === 'unselected' || verdict === 'unobservable') continue;
    verdicts[id] = verdict === 'accepted' ? 'blocked' : verdict;
  }
  return { line: { format: runHistoryFormat, series: seriesOf(record), build, at: record.startedAt, verdicts } };
}
