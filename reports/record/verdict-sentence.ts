import { isOwn } from '../../engine/own-check.ts';
import { some } from '../text/figures.ts';
import { isGone, statusOf } from './check-status.ts';
import { exceptionsOf } from './waivers.ts';
import type { RunRecord } from './record.ts';

/** The verdict of a run, without its result, in one sentence; further sentences say what limits it. */
export function verdictSentence(record: RunRecord): string {
  const { only, checks, summary } = record;
  const own = record.requirements.filter(({ id }) => isOwn(id));
  const passed = own.filter(({ verdict }) => verdict === 'passed');
  const accepted = record.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'accepted');
  const outdated = Map.groupBy(
    exceptionsOf(record).filter(({ problem }) => problem !== undefined),
    ({ kind }) => kind,
  );
  const limits = [
    ...(record.result !== 'no-verdict' && isGone(checks) ? [`The ${stopped(record)}`] : []),
    ...(own.length === 0 ? [] : [`${passed.length} of ${own.length} own checks passed.`]),
    ...(summary.waived === 0 ? [] : [`${some(summary.waived, 'violation is', 'violations are')} waived.`]),
    ...(accepted.length === 0
      ? []
      : [`${some(accepted.length, 'must was', 'musts were')} not exercised, as accepted.`]),
    ...(only.length === 0 ? [] : [`Only ${some(checks.length, 'selected check', 'selected checks')} ran.`]),
    ...[...outdated].map(
      ([kind, { length }]) => `${some(length, `${kind} is`, `${kind}s are`)} out of date, which fails the run.`,
    ),
  ];
  return [amount(record), ...limits].join(' ');
}

function amount({ result, checks, requirements, summary }: RunRecord): string {
  const chosen = chosenOf(requirements);
  const musts = chosen.filter(({ level }) => level === 'must');
  const shoulds = chosen.filter(({ level }) => level === 'should');
  const exercised = shoulds.filter(({ verdict }) => verdict !== 'blocked' && verdict !== 'accepted');
  const skipped = shoulds.length - exercised.length;
  const share = (of: typeof chosen, kind: string) =>
    `${of.filter((requirement) => requirement.verdict === kind).length} of ${of.length}`;
  const held = [
    ...(musts.length === 0 ? [] : [`${share(musts, 'passed')} musts`]),
    ...(exercised.length === 0 ? [] : [`${share(exercised, 'passed')} shoulds`]),
  ];
  switch (result) {
    case 'conformant':
    case 'conformant-with-gaps':
    case 'waived':
      return [
        ...(musts.length === 0 ? ['no must was selected.'] : []),
        ...(held.length === 0 ? [] : [`${held.join(' and ')} hold.`]),
        ...(skipped === 0 ? [] : [`${some(skipped, 'should was', 'shoulds were')} not exercised.`]),
      ].join(' ');
    case 'nonconformant':
      return `${share(chosen, 'failed')} requirements violated.`;
    case 'incomplete':
      return musts.length === 0
        ? 'no must of the specification was selected.'
        : `no violation found, but ${share(musts, 'blocked')} musts were not exercised.`;
    case 'no-verdict':
      return `the ${stopped({ checks })}`;
    case 'errored':
      return `${summary.errored} of ${checks.length} checks reached no verdict.`;
    case 'interrupted':
      return `${checks.length - summary.blocked} of ${checks.length} checks reached a verdict.`;
  }
}

function stopped({ checks }: Pick<RunRecord, 'checks'>): string {
  const judged = checks.filter(({ verdict }) => verdict !== 'blocked' && verdict !== 'errored');
  return `deployment stopped answering after ${judged.length} of ${some(checks.length, 'check')}.`;
}

/** The requirements of the specification that checks of the run are about. */
function chosenOf(requirements: RunRecord['requirements']): RunRecord['requirements'] {
  return requirements.filter(({ id, verdict }) => !isOwn(id) && verdict !== 'unobservable' && verdict !== 'unselected');
}

/** The result as the beginning of a line. */
export function resultWord(record: RunRecord): string {
  const word = specificationWord(record);
  return ownFailure(record) === undefined ? word : `${word}, but ${ownFailure(record)}`;
}

function specificationWord({ result, requirements }: RunRecord): string {
  if (result === 'conformant' && chosenOf(requirements).every(({ level }) => level === 'should'))
    return 'No verdict on conformance';
  if (result === 'conformant-with-gaps') return 'Conformant, with accepted gaps';
  if (result === 'no-verdict') return 'No verdict';
  if (result === 'waived') return 'Conformant except for waived violations';
  return result.charAt(0).toUpperCase() + result.slice(1);
}

/** What own checks add to a result that is about the specification: they decide the exit code, too. Undefined if all passed. */
export function ownFailure({ checks, result }: RunRecord): string | undefined {
  if (result === 'interrupted' || result === 'nonconformant') return undefined;
  const statuses = new Set(checks.filter(({ id }) => isOwn(id)).map(statusOf));
  if (statuses.has('failed')) return 'own checks failed';
  return statuses.has('errored') ? 'own checks reached no verdict' : undefined;
}
