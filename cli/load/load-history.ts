import type { PerFigure } from '../../load/compare/render/figure.ts';
import { fixedDraws } from '../../load/compare/statistics/fixed-draws.ts';
import { type HistoryRun, historyRunOf, loadHistory, seriesOf } from '../../load/compare/history.ts';
import { renderTrend } from '../../load/compare/render/render-trend.ts';
import type { Spread } from '../../load/compare/statistics/spread.ts';
import { runToRunOf, trend } from '../../load/compare/trend.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Context } from '../shared/context.ts';
import { openHistoryFile } from '../shared/history-file.ts';

export type OpenHistory = {
  /** How single runs like these varied in the past; undefined if unknown. */
  readonly runToRun: (records: readonly LoadRecord[]) => PerFigure<Spread> | undefined;
  /** Adds the runs of a build and shows the trend. A trend does not affect the exit code. */
  readonly append: (records: readonly LoadRecord[], build: string) => Promise<void>;
};

/** Opens the history of loads at a path. */
export async function openHistory(path: string, context: Context): Promise<OpenHistory> {
  const history = await openHistoryFile(path, loadHistory, context);
  return {
    runToRun(records) {
      if (records.length !== 1) return undefined;
      return runToRunOf(trend(ofSeries(history.runs, seriesOf(records)), fixedDraws()));
    },
    async append(records, build) {
      const made = historyRunOf(records, build);
      if ('reason' in made) {
        history.leaveOut(made.reason);
        return;
      }
      const series = ofSeries(await history.append(made.run), made.run.series);
      context.out.write(`\n${renderTrend(trend(series, fixedDraws()), series).join('\n')}\n\n`);
    },
  };
}

function ofSeries(runs: readonly HistoryRun[], series: string): readonly HistoryRun[] {
  return runs.filter((run) => run.series === series);
}
