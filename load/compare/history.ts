import { z } from 'zod';

const format = 'awc-history/1';

/** A history keeps this many runs and drops the oldest. */
const mostRuns = 1000;

/** A longer line is not a run. */
const longestLine = 4000;

const positive = z.number().positive();

const runSchema = z.strictObject({
  format: z.literal(format),
  /** Runs of one series are comparable: they have the same target and the same profile. */
  series: z.string().min(1).max(200),
  /** The name of the build. */
  build: z.string().max(200),
  /** When the run began, ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  /** Latencies in microseconds, throughput in answers a second. */
  figures: z.strictObject({ p50: positive, p90: positive, p95: positive, p99: positive, throughput: positive }),
});

/** One run in a history. */
export type HistoryRun = z.infer<typeof runSchema>;

/** A line of a history that is not a run of this version. Lines count from 1. */
export type HistoryProblem = { readonly line: number; readonly problem: string };

/** Reads a history, one JSON object per line. Lines that cannot be read are reported, and the others are used. */
export function readHistory(text: string): {
  readonly runs: readonly HistoryRun[];
  readonly problems: readonly HistoryProblem[];
} {
  const runs: HistoryRun[] = [];
  const problems: HistoryProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readRun(line);
    if (typeof read === 'string') problems.push({ line: index + 1, problem: read });
    else runs.push(read);
  }
  return { runs: runs.slice(-mostRuns), problems };
}

/**
 * The history with one more run at its end. Lines are never rewritten, not even unreadable ones: they may come from a later
 * version. The oldest lines are dropped if there are too many.
 */
export function appendRun(text: string, run: Omit<HistoryRun, 'format'>): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = JSON.stringify(runSchema.parse({ format, ...run }));
  return `${[...lines, line].slice(-mostRuns).join('\n')}\n`;
}

function readRun(line: string): HistoryRun | string {
  if (line.length > longestLine) return `is longer than ${longestLine} characters`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  const parsed = runSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue === undefined ? 'is not a run' : `${issue.path.join('.') || 'line'}: ${issue.message}`;
}
