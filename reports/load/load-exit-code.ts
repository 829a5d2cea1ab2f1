import type { ExitCode } from '../record/exit-code.ts';
import type { LoadRecord } from './load-record.ts';

const codes = { held: 0, missed: 1, aborted: 1, unjudged: 4, interrupted: 130 } as const;

/** The exit code of a load run: a run without a verdict is never green. */
export function loadExitCode({ result }: Pick<LoadRecord, 'result'>): ExitCode {
  return codes[result];
}
