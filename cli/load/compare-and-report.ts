import type { ExitCode } from '../../reports/record/exit-code.ts';
import type { ComparisonOptions } from './comparison-options.ts';
import type { Context } from '../shared/context.ts';
import { openHistory } from './load-history.ts';
import { readTrials } from './read-trials.ts';
import { reportComparison } from './report-comparison.ts';

/** Compares the runs of two builds that were made before. */
export async function compareAndReport(
  [first, second]: readonly [string, string],
  options: ComparisonOptions & { readonly history?: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const a = await readTrials(first);
  const b = await readTrials(second);
  const history = options.history === undefined ? undefined : await openHistory(options.history, context);
  return reportComparison({ a, b, runToRun: history?.runToRun(b) }, options, context);
}
