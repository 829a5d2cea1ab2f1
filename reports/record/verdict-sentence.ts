import { isOwn } from '../../engine/own-check.ts';
import type { RunRecord } from './record.ts';
import { waiverProblems } from './waiver-problem.ts';

/** What a run amounts to, without its result, as one sentence; further ones say what limits it. */
export function verdictSentence(record: RunRecord): string {
  const { only, checks, summary } = record;
  const own = record.requirements.filter(({ id }) => isOwn(id));
  const kept = own.filter(({ verdict }) => verdict === 'passed');
  const outdated = waiverProblems(record).length;
  const limits = [
    ...(own.length === 0 ? [] : [`Of the own promises, ${kept.length} of ${own.length} hold.`]),
    ...(summary.waived === 0 ? [] : [`Violations that are waived: ${summary.waived}.`]),
    ...(only.length === 0 ? [] : [`Only ${checks.length} selected checks were run.`]),
    ...(outdated === 0 ? [] : [`Waivers out of date, which fails the run: ${outdated}.`]),
  ];
  return [amount(record), ...limits].join(' ');
}

function amount({ result, checks, requirements, summary }: RunRecord): string {
  const chosen = requirements.filter(
    ({ id, verdict: kind }) => !isOwn(id) && kind !== 'unobservable' && kind !== 'unselected',
  );
  const musts = chosen.filter(({ level }) => level === 'must');
  const shoulds = chosen.filter(({ level }) => level === 'should');
  const share = (of: typeof chosen, kind: string) =>
    `${of.filter((requirement) => requirement.verdict === kind).length} of ${of.length}`;
  switch (result) {
    case 'conformant':
    case 'waived':
      return shoulds.length === 0
        ? `${share(musts, 'passed')} musts hold.`
        : `${share(musts, 'passed')} musts hold, ${share(shoulds, 'passed')} shoulds.`;
    case 'nonconformant':
      return `${share(chosen, 'failed')} requirements broken.`;
    case 'incomplete':
      return `nothing broken, but ${share(musts, 'blocked')} musts not exercised.`;
    case 'errored':
      return `${summary.errored} of ${checks.length} checks came to no verdict.`;
    case 'interrupted':
      return `${checks.length - summary.blocked} of ${checks.length} checks came to a verdict.`;
  }
}

/** The result as it begins a line. */
export function resultWord({ result }: Pick<RunRecord, 'result'>): string {
  if (result === 'waived') return 'Conformant but for what is waived';
  return result.charAt(0).toUpperCase() + result.slice(1);
}
