import type { Check } from '../../engine/check.ts';
import { isOwn } from '../../engine/own-check.ts';
import { causesOf } from '../causes/causes.ts';
import { catalogue } from '../../spec/catalogue.ts';
import { countStatuses, decisiveOf, isGone, statusOf, worstFirst } from './check-status.ts';
import { identity } from './identity.ts';
import { type CheckRecord, recordFormat, type RequirementRecord, type RunRecord } from './record.ts';
import { gapRecord, settled, waiverRecord, type Waivers } from './waivers.ts';

/** The facts of a run besides its verdicts. */
export type RunFacts = Pick<
  RunRecord,
  'target' | 'seed' | 'strict' | 'only' | 'durationMs' | 'requests' | 'observations' | 'usedUp' | 'notes' | 'problems'
> & {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly interrupted: boolean;
  /** Why the run ended before its last check, if it was not interrupted. */
  readonly stopped?: string | undefined;
  readonly waivers: Waivers;
};

/**
 * The record of a run. `all` are the checks of the suite, `selected` the checks to run, and `done` their records, in any
 * order. A selected check that is not done counts as blocked.
 */
export function buildRecord(
  all: readonly Check<string>[],
  selected: readonly Check<string>[],
  done: readonly CheckRecord[],
  facts: RunFacts,
): RunRecord {
  const byId = new Map(done.map((record) => [record.id, record]));
  const { startedAt, interrupted, stopped, waivers, ...rest } = facts;
  const ended = interrupted ? 'the run was interrupted' : (stopped ?? 'the suite ended before this check');
  const checks = selected.map((check) => settled(byId.get(check.id) ?? notRun(check, ended), waivers, startedAt));
  const extended = extendedOf(selected);
  const requirements = [
    ...requirementRecords(facts.only.length === 0 ? all : undefined, checks, extended),
    ...ownRecords(selected, checks),
  ];
  const causes = causesOf(checks);
  return {
    format: recordFormat,
    ...identity(),
    ...rest,
    durationMs: Math.round(facts.durationMs),
    startedAt: new Date(startedAt).toISOString(),
    result: interrupted ? 'interrupted' : resultOf(checks, requirements, facts.problems),
    summary: summaryOf(checks),
    checks,
    ...(causes.length === 0 ? {} : { causes: [...causes] }),
    requirements,
    waivers: waivers.waivers.map((waiver) => waiverRecord(waiver, checks, startedAt)),
    ...(waivers.acceptedGaps.length === 0
      ? {}
      : { acceptedGaps: waivers.acceptedGaps.map((gap) => gapRecord(gap, checks, extended, startedAt)) }),
  };
}

function summaryOf(checks: readonly CheckRecord[]): RunRecord['summary'] {
  const { accepted, ...counts } = countStatuses(checks);
  return accepted === 0 ? counts : { ...counts, accepted };
}

function resultOf(
  all: readonly CheckRecord[],
  allRequirements: readonly RequirementRecord[],
  problems: readonly string[],
): RunRecord['result'] {
  const checks = ofSpecification(all);
  const requirements = ofSpecification(allRequirements);
  if (checks.some((check) => statusOf(check) === 'failed')) return 'nonconformant';
  if (problems.length > 0 || checks.some(({ fault }) => fault === 'suite')) return 'errored';
  if (isGone(all)) return 'no-verdict';
  if (checks.some(({ verdict }) => verdict === 'errored')) return 'errored';
  const lacking = requirements.some(({ level, verdict }) => level === 'must' && verdict === 'blocked');
  const idle = checks.every(({ verdict }) => verdict === 'blocked');
  if (lacking || idle) return 'incomplete';
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'waived';
  const hasGap = requirements.some(({ level, verdict }) => level === 'must' && verdict === 'accepted');
  return hasGap ? 'conformant-with-gaps' : 'conformant';
}

/** A vendor's own checks decide the exit code, but not the result, which is about the specification. */
function ofSpecification<Named extends { readonly id: string }>(all: readonly Named[]): readonly Named[] {
  return all.filter(({ id }) => !isOwn(id));
}

/** `all` are the checks of a whole run; undefined for a run of some. */
function requirementRecords(
  all: readonly Check<string>[] | undefined,
  checks: readonly CheckRecord[],
  extended: ReadonlySet<string>,
): RequirementRecord[] {
  const withCheck = all && new Set(all.map(({ requirement }) => requirement));
  const byRequirement = Map.groupBy(checks, ({ requirement }) => requirement);
  return catalogue.map(({ id, section, level, sentence, unobservable }) => {
    const own = byRequirement.get(id) ?? [];
    const common = { id, section, level, sentence, checks: own.map((check) => check.id) };
    if (unobservable !== undefined) return { ...common, verdict: 'unobservable', reason: unobservable };
    if (withCheck?.has(id) === false) return { ...common, verdict: 'blocked', reason: 'the suite has no check for it' };
    return { ...common, ...worstOf(decisiveOf(own, extended)) };
  });
}

function extendedOf(checks: readonly Check<string>[]): ReadonlySet<string> {
  return new Set(checks.filter(({ extended }) => extended).map(({ id }) => id));
}

function ownRecords(selected: readonly Check<string>[], checks: readonly CheckRecord[]): RequirementRecord[] {
  return selected
    .filter(({ id }) => isOwn(id))
    .map(({ id, section, level, sentence }) => ({
      id,
      section,
      level,
      sentence,
      checks: [id],
      ...worstOf(checks.filter((check) => check.id === id)),
    }));
}

function worstOf(checks: readonly CheckRecord[]): Pick<RequirementRecord, 'verdict' | 'reason'> {
  const worst = worstFirst.find((candidate) => checks.some((check) => statusOf(check) === candidate));
  if (worst === undefined) return { verdict: 'unselected' };
  const reason = checks.find((check) => statusOf(check) === worst)?.reason;
  return { verdict: worst, ...(reason === undefined ? {} : { reason }) };
}

function notRun(check: Check<string>, ended: string): CheckRecord {
  const { id, requirement, operation, level, title } = check;
  const reason = `not run: ${ended}`;
  return { id, requirement, operation, level, title, verdict: 'blocked', reason, exchanges: [], durationMs: 0 };
}
