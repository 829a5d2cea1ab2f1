import { join } from 'node:path';
import { shown } from '../../core/text.ts';
import { buildComparisonRecord } from '../../load/compare/build-comparison-record.ts';
import { type BuildComparison, compareRecords } from '../../load/compare/compare-records.ts';
import { renderBuilds } from '../../load/compare/render/render-builds.ts';
import type { PerFigure } from '../../load/compare/render/figure.ts';
import type { Spread } from '../../load/compare/statistics/spread.ts';
import { whyIncomparable } from '../../load/compare/why-incomparable.ts';
import type { ExitCode } from '../../reports/record/exit-code.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { safeJsonLine } from '../../reports/text/safe-json.ts';
import type { ComparisonOptions } from './comparison-options.ts';
import type { Context } from '../shared/context.ts';
import { openHistory } from './load-history.ts';
import { readTrials } from './read-trials.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

/** Compares the saved runs of two builds. */
export async function compareAndReport(
  [first, second]: readonly [string, string],
  options: ComparisonOptions & { readonly history?: string | undefined; readonly out?: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const a = await readTrials(first);
  const b = await readTrials(second);
  const history = options.history === undefined ? undefined : await openHistory(options.history, context);
  return reportComparison({ a, b, runToRun: history?.runToRun(b) }, options, context);
}

/** The runs of both builds, and how runs vary if that is known. */
export type ComparedRuns = {
  readonly a: readonly LoadRecord[];
  readonly b: readonly LoadRecord[];
  readonly runToRun: PerFigure<Spread> | undefined;
};

/**
 * Compares, shows the result, writes it to comparison.json in a folder if one is given, and returns the exit code. An
 * undecided comparison never exits with 0.
 */
export async function reportComparison(
  { a, b, runToRun }: ComparedRuns,
  { margin, require: required, out: folder }: ComparisonOptions & { readonly out?: string | undefined },
  { out }: Context,
): Promise<ExitCode> {
  const reason = whyIncomparable(a, b);
  if (reason !== undefined) throw new UserError(`these runs cannot be compared. ${reason}`);
  const compared = compareRecords(a, b, { margin, required, runToRun });
  const lines = [`A: ${runsOf(a)}`, `B: ${runsOf(b)}`, '', ...renderBuilds(compared, { margin, required })];
  out.write(`${lines.join('\n')}\n`);
  const record = buildComparisonRecord(compared, { a, b, margin, required });
  if (folder !== undefined && record !== undefined) {
    await makeFolder(folder);
    await writeWhole(join(folder, 'comparison.json'), safeJsonLine(record));
  }
  return exitCodeOf(compared);
}

function runsOf(records: readonly LoadRecord[]): string {
  const [first] = records;
  if (first === undefined) return 'nothing';
  const { target, profile } = first;
  const runs = `${records.length} ${records.length === 1 ? 'run' : 'runs'}`;
  return shown(`${runs} of ${profile.name} on ${target.name} at ${target.baseUrl}, since ${first.startedAt}`, 300);
}

function exitCodeOf({ verdict }: BuildComparison): ExitCode {
  switch (verdict) {
    case 'no-worse':
      return 0;
    case 'worse':
      return 1;
    case 'cannot-tell':
      return 4;
  }
}
