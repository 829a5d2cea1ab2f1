import type { RunRecord } from './record.ts';
import { waiverProblems } from './waiver-problem.ts';

/** What a shell is told: 0 conformant, 1 violated or a waiver out of date, 4 incomplete, 5 fault in the suite, 130 interrupted. */
export type ExitCode = 0 | 1 | 4 | 5 | 130;

/**
 * The exit code of a run. `allowIncomplete` makes a run green that left musts unexercised, never one in which the target
 * gave no usable answer: that was no lack of fixtures. A waiver that is out of date makes an otherwise green run fail, lest
 * the file outlive what it excuses.
 */
export function exitCode(record: RunRecord, allowIncomplete: boolean): ExitCode {
  const green = waiverProblems(record).length > 0 ? 1 : 0;
  switch (record.result) {
    case 'conformant':
    case 'waived':
      return green;
    case 'nonconformant':
      return 1;
    case 'incomplete':
      return allowIncomplete && !isIdle(record) ? green : 4;
    case 'errored':
      return hasSuiteFault(record) ? 5 : 4;
    case 'interrupted':
      return 130;
  }
}

/** A run that exercised nothing at all is never green. */
function isIdle({ checks }: RunRecord): boolean {
  return checks.every(({ verdict }) => verdict === 'blocked');
}

function hasSuiteFault({ checks, problems }: RunRecord): boolean {
  return problems.length > 0 || checks.some(({ fault }) => fault === 'suite');
}
