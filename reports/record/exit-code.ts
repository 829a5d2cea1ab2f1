import { isOwn } from '../../engine/own-check.ts';
import type { RunRecord } from './record.ts';
import { standingOf } from './standing.ts';
import { waiverProblems } from './waiver-problem.ts';

/** What a shell is told: 0 conformant, 1 violated or a waiver out of date, 4 incomplete, 5 fault in the suite, 130 interrupted. */
export type ExitCode = 0 | 1 | 4 | 5 | 130;

/**
 * The exit code of a run. `allowIncomplete` makes a run green that left musts unexercised, never one in which the target
 * gave no usable answer: that was no lack of fixtures. A waiver that is out of date makes an otherwise green run fail, lest
 * the file outlive what it excuses. A vendor's own checks count like those of the specification.
 */
export function exitCode(record: RunRecord, allowIncomplete: boolean): ExitCode {
  const codes = [codeOfResult(record, allowIncomplete), codeOfOwn(record, allowIncomplete)];
  const worst = worstFirst.find((code) => codes.includes(code)) ?? 0;
  return worst === 0 && waiverProblems(record).length > 0 ? 1 : worst;
}

const worstFirst = [130, 1, 5, 4, 0] as const satisfies readonly ExitCode[];

function codeOfResult(record: RunRecord, allowIncomplete: boolean): ExitCode {
  switch (record.result) {
    case 'conformant':
    case 'waived':
      return 0;
    case 'nonconformant':
      return 1;
    case 'incomplete':
      return onlyOwn(record) || (allowIncomplete && !isIdle(record)) ? 0 : 4;
    case 'errored':
      return hasSuiteFault(record) ? 5 : 4;
    case 'interrupted':
      return 130;
  }
}

function codeOfOwn(record: RunRecord, allowIncomplete: boolean): ExitCode {
  const own = record.checks.filter(({ id }) => isOwn(id));
  if (own.some((check) => standingOf(check) === 'failed')) return 1;
  if (own.some(({ verdict }) => verdict === 'errored')) return hasSuiteFault(record) ? 5 : 4;
  const lacks = own.some(({ level, verdict }) => level === 'must' && verdict === 'blocked');
  return (lacks && !allowIncomplete) || isIdle(record) ? 4 : 0;
}

/** Whether nothing of the specification was asked for: then only the own checks can make the run fail. */
function onlyOwn({ checks, problems }: RunRecord): boolean {
  return checks.length > 0 && problems.length === 0 && checks.every(({ id }) => isOwn(id));
}

/** A run that exercised nothing at all is never green. */
function isIdle({ checks }: RunRecord): boolean {
  return checks.every(({ verdict }) => verdict === 'blocked');
}

function hasSuiteFault({ checks, problems }: RunRecord): boolean {
  return problems.length > 0 || checks.some(({ fault }) => fault === 'suite');
}
