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

/** The options of `awc run`. */
export type RunCommandOptions = {
  readonly only: readonly string[];
  readonly seed?: number | undefined;
  readonly strict: boolean;
  readonly allowIncomplete: boolean;
  /** The folder of the vendor's own checks. */
  readonly suites?: string | undefined;
  /** The file of known violations. */
  readonly waivers?: string | undefined;
  /** How long the run may take, in milliseconds. */
  readonly budget?: number | undefined;
  /** The number of failed musts after which the run stops. */
  readonly bail?: number | undefined;
  /** The folder for report.json and junit.xml. */
  readonly out?: string | undefined;
  /** The file for the events of the run; `-` is standard output, and the screen then goes to standard error. */
  readonly stream?: string | undefined;
  /** The file of earlier runs. */
  readonly history?: string | undefined;
  /** The name of the build in the history. */
  readonly build: string;
  /** The port of the live page; 0 is any. Undefined without a page. */
  readonly live?: number | undefined;
  readonly fault: readonly string[];
  readonly choice: Readonly<Record<string, string>>;
};

/** Judges a deployment, shows and writes the report, and returns the exit code. */
export async function runAndReport(
  path: string | undefined,
  options: RunCommandOptions,
  context: Context,
): Promise<number> {
  const { only, seed, strict, suites, budget, bail, out } = options;
  const deployment = deploymentOf(path, options.fault, options.choice);
  const checks = await readSuites(suites);
  mustFit(only, checks);
  const waivers = readWaivers(options.waivers, checks, context);
  const extend = await openRunHistory(options.history, options.build, context);
  if (out !== undefined) await makeFolder(out);
  const stream = openStream(options.stream, context);

  const judging = { only, seed, strict, suites, waivers, budgetMs: budget, bail, onEvent: stream.write, extend };
  const record = await withLivePage(options.live, context, (page) =>
    judgeIntoFolder(deployment, out, { ...judging, page }, context),
  );
  const screen = options.stream === '-' ? context.err : context.out;
  screen.write(renderTerminal(record, { color: wantsColor(screen), out }));
  stream.close();
  return exitCode(record, options.allowIncomplete);
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
