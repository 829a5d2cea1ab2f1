import { isOwn } from '../../engine/own-check.ts';
import { statusOf } from './check-status.ts';
import type { RunRecord } from './record.ts';
import { waiverProblems } from './waivers.ts';

/**
 * 0 conformant, 1 violated or a waiver out of date, 3 the target stopped answering, 4 incomplete or errored, 5 fault in the
 * suite, 6 a part of a divided load is missing, 130 interrupted.
 */
export type ExitCode = 0 | 1 | 3 | 4 | 5 | 6 | 130;

const worstFirst = [130, 1, 5, 6, 3, 4, 0] as const satisfies readonly ExitCode[];

/** The exit code of a command that did several things. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return worstFirst.find((code) => codes.includes(code)) ?? 0;
}

/**
 * The exit code of a run. `allowIncomplete` makes a run green that left musts unexercised, but never one in which the target
 * gave no usable answer: that is not a lack of fixtures. A waiver or accepted gap that is out of date fails an otherwise green
 * run, so that it cannot outlive what it covers. A violation that was found before the target stopped answering still counts. A vendor's own checks count like those of the specification.
 */
export function exitCode(record: RunRecord, allowIncomplete: boolean): ExitCode {
  const worst = worstExitCode([codeOfResult(record, allowIncomplete), codeOfOwn(record, allowIncomplete)]);
  return worst === 0 && waiverProblems(record).length > 0 ? 1 : worst;
}

function codeOfResult(record: RunRecord, allowIncomplete: boolean): ExitCode {
  switch (record.result) {
    case 'conformant':
    case 'conformant-with-gaps':
    case 'waived':
      return 0;
    case 'nonconformant':
      return 1;
    case 'incomplete':
      return onlyOwn(record) || (allowIncomplete && !isIdle(record)) ? 0 : 4;
    case 'no-verdict':
      return 3;
    case 'errored':
      return hasSuiteFault(record) ? 5 : 4;
    case 'interrupted':
      return 130;
  }
}

function codeOfOwn(record: RunRecord, allowIncomplete: boolean): ExitCode {
  const own = record.checks.filter(({ id }) => isOwn(id));
  if (own.some((check) => statusOf(check) === 'failed')) return 1;
  if (own.some(({ verdict }) => verdict === 'errored')) return hasSuiteFault(record) ? 5 : 4;
  const lacks = own.some((check) => check.level === 'must' && statusOf(check) === 'blocked');
  return (lacks && !allowIncomplete) || isIdle(record) ? 4 : 0;
}

/** Whether the run selected own checks only: then only those can make it fail. */
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
