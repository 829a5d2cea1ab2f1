import { historyLineOf, runHistory, seriesOf } from '../../reports/history/run-history.ts';
import { verdictHistory } from '../../reports/history/verdict-history.ts';
import { exitCode } from '../../reports/record/exit-code.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { withLivePage } from '../live/open-live-page.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { openHistoryFile } from '../shared/history-file.ts';
import { makeFolder } from '../shared/write-whole.ts';
import { deploymentOf } from './deployment-of.ts';
import { judgeIntoFolder, mustFit } from './judge-deployment.ts';
import { openStream } from './open-stream.ts';
import { readSuites, readWaivers } from './read-suites.ts';
import type { RunCommandOptions } from './run-options.ts';

/** Judges a deployment, shows and writes the report, and returns the exit code. */
export async function runAndReport(
  path: string | undefined,
  options: RunCommandOptions,
  context: Context,
): Promise<number> {
  const { only = [], seed, strict = false, suites, budget, bail, out } = options;
  const deployment = deploymentOf(path, options.fault, options.choice);
  const checks = await readSuites(suites);
  mustFit(only, checks);
  const waivers = readWaivers(options.waivers, checks, context);
  const extend = await openRunHistory(options.history, options.build ?? '', context);
  if (out !== undefined) await makeFolder(out);
  const stream = openStream(options.stream, context);

  const judging = { only, seed, strict, suites, waivers, budgetMs: budget, bail, onEvent: stream.write, extend };
  const record = await withLivePage(options.live, context, (page) =>
    judgeIntoFolder(deployment, out, { ...judging, page }, context),
  );
  const screen = options.stream === '-' ? context.err : context.out;
  screen.write(renderTerminal(record, { color: wantsColor(screen), out }));
  stream.close();
  return exitCode(record, options.allowIncomplete === true);
}

/** Adds a run to the history, and returns its record with what the history shows. */
type AddToHistory = (record: RunRecord) => Promise<RunRecord>;

/** Opens a history of runs, so that a wrong file is refused before anything is sent. Without a path, records stay as they are. */
async function openRunHistory(
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
