import { readFile } from 'node:fs/promises';
import type { PerFigure } from '../../load/compare/render/figure.ts';
import { fixedDraws } from '../../load/compare/statistics/fixed-draws.ts';
import { appendRun, type HistoryRun, readHistory } from '../../load/compare/history.ts';
import { historyRunOf, seriesOf } from '../../load/compare/history-run.ts';
import { renderTrend } from '../../load/compare/render/render-trend.ts';
import type { Spread } from '../../load/compare/statistics/spread.ts';
import { runToRunOf, trend } from '../../load/compare/trend.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** A longer file is not a history: a thousand runs are about 300 kB. */
const mostBytes = 8 * 1024 * 1024;
const mostProblems = 5;

export type OpenHistory = {
  /** How single runs like these varied in the past; undefined if unknown. */
  readonly runToRun: (records: readonly LoadRecord[]) => PerFigure<Spread> | undefined;
  /** Adds the runs of a build and shows the trend. A trend does not affect the exit code. */
  readonly append: (records: readonly LoadRecord[], build: string) => Promise<void>;
};

/**
 * Reads a history; a missing file is an empty one. Lines that are not runs are reported and kept. A file without any run is
 * another file of the user, and must not be written to.
 */
export async function openHistory(path: string, { err, out }: Context): Promise<OpenHistory> {
  const text = await readIfThere(path);
  const { runs, problems } = readHistory(text);
  if (runs.length === 0 && problems.length > 0) {
    throw new UserError(`${path} is not a history: none of its lines is a run. Name another file, or a new one.`);
  }
  for (const { line, problem } of problems.slice(0, mostProblems)) err.write(`! ${path}:${line}: ${problem}\n`);
  if (problems.length > mostProblems) err.write(`! ${path}: and ${problems.length - mostProblems} more lines\n`);

  return {
    runToRun(records) {
      if (records.length !== 1) return undefined;
      return runToRunOf(trend(ofSeries(runs, seriesOf(records)), fixedDraws()));
    },
    async append(records, build) {
      const made = historyRunOf(records, build);
      if ('reason' in made) {
        err.write(`! Not added to ${path}: ${made.reason}.\n`);
        return;
      }
      const longer = appendRun(text, made.run);
      await writeWhole(path, longer);
      const series = ofSeries(readHistory(longer).runs, made.run.series);
      out.write(`\n${renderTrend(trend(series, fixedDraws()), series).join('\n')}\n\n`);
    },
  };
}

function ofSeries(runs: readonly HistoryRun[], series: string): readonly HistoryRun[] {
  return runs.filter((run) => run.series === series);
}

async function readIfThere(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= mostBytes) return text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return '';
    throw new UserError(`${path} cannot be read (${code}).`);
  }
  throw new UserError(`${path} is too long to be a history.`);
}
