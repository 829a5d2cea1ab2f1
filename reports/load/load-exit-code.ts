import type { ExitCode } from '../record/exit-code.ts';
import type { LoadRecord } from './load-record.ts';

/** The exit code of a load run: a run without a verdict is never green. */
export function loadExitCode({ result }: Pick<LoadRecord, 'result'>): ExitCode {
  switch (result) {
    case 'held':
      return 0;
    case 'missed':
    case 'aborted':
      return 1;
    case 'unjudged':
      return 4;
    case 'interrupted':
      return 130;
  }
}
