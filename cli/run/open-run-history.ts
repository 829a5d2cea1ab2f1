import { historyLineOf, runHistory, seriesOf } from '../../reports/history/run-history.ts';
import { verdictHistory } from '../../reports/history/verdict-history.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import type { Context } from '../shared/context.ts';
import { openHistoryFile } from '../shared/history-file.ts';

/** Adds a run to the history, and returns its record with what the history shows. */
export type AddToHistory = (record: RunRecord) => Promise<RunRecord>;

/** Opens a history of runs, so that a wrong file is refused before anything is sent. Without a path, records stay as they are. */
export async function openRunHistory(
  path: string | undefined,
  build: string,
  context: Pick<Context, 'err'>,
): Promise<AddToHistory> {
  if (path === undefined) return async (record) => record;
  const history = await openHistoryFile(path, runHistory, context);
  return async (record) => {
    const made = historyLineOf(record, build);
    if ('reason' in made) {
      history.leaveOut(made.reason);
      return record;
    }
    const runs = await history.append(made.line);
    return { ...record, history: verdictHistory(runs.filter(({ series }) => series === seriesOf(record))) };
  };
}
