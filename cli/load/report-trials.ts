import { renderCapacity } from '../../load/kinds/capacity/render-capacity.ts';
import type { PerFigure } from '../../load/compare/render/figure.ts';
import type { Spread } from '../../load/compare/statistics/spread.ts';
import { type ExitCode, worstExitCode } from '../../reports/record/exit-code.ts';
import { loadExitCode } from '../../reports/load/load-exit-code.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../reports/load/load-terminal.ts';
import type { ComparisonOptions } from './comparison-options.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { reportComparison } from './report-comparison.ts';

export type MadeTrials = {
  /** The runs to compare with, if any. */
  readonly a: readonly LoadRecord[] | undefined;
  readonly b: readonly LoadRecord[];
  /** Whether the runs of A alternated with those of B. */
  readonly isByTurns: boolean;
  readonly runToRun: PerFigure<Spread> | undefined;
};

/**
 * Shows the results of the runs of a load and returns the exit code. The thresholds of the profile count too, except in an
 * interleaved comparison of builds, where only the comparison decides.
 */
export async function reportTrials(
  trials: MadeTrials,
  options: ComparisonOptions & { readonly out?: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const { a, b, isByTurns, runToRun } = trials;
  const [only] = b;
  if (only !== undefined && b.length === 1 && !isByTurns) showRun(only, context);
  const made = isByTurns ? [...(a ?? []), ...b] : b;
  if (made.some(({ result }) => result === 'interrupted')) return 130;
  const codes: ExitCode[] = isByTurns ? [] : b.map((record) => loadExitCode(record));
  if (a !== undefined) {
    context.out.write('\n');
    codes.push(await reportComparison({ a, b, runToRun }, options, context));
  }
  return worstExitCode(codes);
}

function showRun(record: LoadRecord, { out }: Context): void {
  const { capacity } = record;
  if (capacity !== undefined) out.write(`${renderCapacity(capacity).join('\n')}\n\n`);
  out.write(renderLoadTerminal(record, { color: wantsColor(out) }));
}
