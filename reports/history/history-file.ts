import type { z } from 'zod';
import { jsonIn } from '../../core/json.ts';

/** A history keeps this many runs and drops the oldest. */
const mostRuns = 1000;

/** A line of a history that is not a run of this version. Lines count from 1. */
export type HistoryProblem = { readonly line: number; readonly problem: string };

/** One line of a history: its format says what kind of run it is. */
type Line = { readonly format: string };

/** A history has one JSON object per line. Every kind of run has its own schema. */
export type HistoryFormat<Run extends Line> = {
  readonly schema: z.ZodType<Run>;
  /** In characters. A longer line is not a run. */
  readonly longestLine: number;
};

/** Reads a history. Lines that cannot be read are reported, and the others are used. */
export function readHistory<Run extends Line>(
  text: string,
  format: HistoryFormat<Run>,
): { readonly runs: readonly Run[]; readonly problems: readonly HistoryProblem[] } {
  const runs: Run[] = [];
  const problems: HistoryProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readRun(line, format);
    if (typeof read === 'string') problems.push({ line: index + 1, problem: read });
    else runs.push(read);
  }
  return { runs: runs.slice(-mostRuns), problems };
}

/**
 * The history with one more run at its end. Lines are never rewritten, not even unreadable ones: they may come from a later
 * version. The oldest lines are dropped if there are too many.
 */
export function appendRun<Run extends Line>(text: string, run: Run, { schema }: HistoryFormat<Run>): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = JSON.stringify(schema.parse(run));
  return `${[...lines, line].slice(-mostRuns).join('\n')}\n`;
}

function readRun<Run extends Line>(line: string, { schema, longestLine }: HistoryFormat<Run>): Run | string {
  if (line.length > longestLine) return `is longer than ${longestLine} characters`;
  const value = jsonIn(line);
  if (value === undefined) return 'is not JSON';
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue === undefined ? 'is not a run' : `${issue.path.join('.') || 'line'}: ${issue.message}`;
}
