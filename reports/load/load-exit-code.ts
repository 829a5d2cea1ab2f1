import type { ExitCode } from '../record/exit-code.ts';
import type { LoadRecord } from './load-record.ts';

const codes = { held: 0, missed: 1, aborted: 1, unjudged: 4, interrupted: 130 } as const;

/** The exit code of a load run: a run without a verdict is never green. A part of a divided load has measured, or was interrupted. */
export function loadExitCode({ result, shards }: Pick<LoadRecord, 'result' | 'shards'>): ExitCode {
  if (shards.indexes.length < shards.of) return result === 'interrupted' ? 130 : 0;
  return codes[result];
}
