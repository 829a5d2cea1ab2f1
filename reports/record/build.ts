import type { Check } from '../../engine/check.ts';
import { isOwn } from '../../engine/own-check.ts';
import { catalogue } from '../../spec/catalogue.ts';
import { countStandings } from './count-standings.ts';
import { identity } from './identity.ts';
import { type CheckRecord, recordFormat, type RequirementRecord, type RunRecord, type Waiver } from './record.ts';
import { type Standing, standingOf } from './standing.ts';
import { waive, waiverRecord } from './waive.ts';

/** What a run was, besides its verdicts. */
export type RunFacts = Pick<
  RunRecord,
  'target' | 'seed' | 'strict' | 'only' | 'durationMs' | 'requests' | 'observations' | 'usedUp' | 'notes' | 'problems'
> & {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly interrupted: boolean;
  readonly waivers: readonly Waiver[];
};

/** Worst first: a requirement is as good as the worst of its checks. */
const worstFirst = [
  'failed',
  'errored',
  'blocked',
  'warned',
  'waived',
  'passed',
] as const satisfies readonly Standing[];

/**
 * The record of a run. `all` are the checks of the suite, `selected` those that were to run, and `done` what became of
 * them, in any order; a selected check that is not done counts as blocked.
 */
export function buildRecord(
  all: readonly Check<string>[],
  selected: readonly Check<string>[],
  done: readonly CheckRecord[],
  facts: RunFacts,
): RunRecord {
  const byId = new Map(done.map((record) => [record.id, record]));
  const { startedAt, interrupted, waivers, ...rest } = facts;
  const checks = selected.map((check) => waive(byId.get(check.id) ?? notRun(check, interrupted), waivers, startedAt));
  const requirements = [
    ...requirementRecords(facts.only.length === 0 ? all : undefined, checks, furtherOf(selected)),
    ...ownRecords(selected, checks),
  ];
  return {
    format: recordFormat,
    ...identity(),
    ...rest,
    durationMs: Math.round(facts.durationMs),
    startedAt: new Date(startedAt).toISOString(),
    result: interrupted
      ? 'interrupted'
      : resultOf(ofSpecification(checks), ofSpecification(requirements), facts.problems),
    summary: countStandings(checks),
    checks,
    requirements,
    waivers: waivers.map((waiver) => waiverRecord(waiver, checks, startedAt)),
  };
}

function resultOf(
  checks: readonly CheckRecord[],
  requirements: readonly RequirementRecord[],
  problems: readonly string[],
): RunRecord['result'] {
  if (checks.some((check) => standingOf(check) === 'failed')) return 'nonconformant';
  if (problems.length > 0 || checks.some(({ verdict }) => verdict === 'errored')) return 'errored';
  const lacking = requirements.some(({ level, verdict }) => level === 'must' && verdict === 'blocked');
  const idle = checks.every(({ verdict }) => verdict === 'blocked');
  if (lacking || idle) return 'incomplete';
  return checks.some(({ verdict }) => verdict === 'failed') ? 'waived' : 'conformant';
}

/** A vendor's own promises decide on the exit code, and not on what a deployment is by the specification. */
function ofSpecification<Named extends { readonly id: string }>(all: readonly Named[]): readonly Named[] {
  return all.filter(({ id }) => !isOwn(id));
}

/** `all` are the checks of a whole run; undefined for a run of some. */
function requirementRecords(
  all: readonly Check<string>[] | undefined,
  checks: readonly CheckRecord[],
  further: ReadonlySet<string>,
): RequirementRecord[] {
  const withCheck = all && new Set(all.map(({ requirement }) => requirement));
  return catalogue.map(({ id, section, level, sentence, unobservable }) => {
    const own = checks.filter(({ requirement }) => requirement === id);
    const common = { id, section, level, sentence, checks: own.map((check) => check.id) };
    if (unobservable !== undefined) return { ...common, verdict: 'unobservable', reason: unobservable };
    if (withCheck?.has(id) === false) return { ...common, verdict: 'blocked', reason: 'the suite has no check of it' };
    return { ...common, ...worstOf(tellingOf(own, further)) };
  });
}

function furtherOf(checks: readonly Check<string>[]): ReadonlySet<string> {
  return new Set(checks.filter(({ further }) => further).map(({ id }) => id));
}

/** A further check whose stage could not be set leaves the requirement to the others, where those were exercised. */
function tellingOf(own: readonly CheckRecord[], further: ReadonlySet<string>): readonly CheckRecord[] {
  const telling = own.filter(({ id, verdict }) => verdict !== 'blocked' || !further.has(id));
  return telling.some(({ verdict }) => verdict !== 'blocked') ? telling : own;
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
  const worst = worstFirst.find((candidate) => checks.some((check) => standingOf(check) === candidate));
  if (worst === undefined) return { verdict: 'unselected' };
  const reason = checks.find((check) => standingOf(check) === worst)?.reason;
  return { verdict: worst, ...(reason === undefined ? {} : { reason }) };
}

function notRun(check: Check<string>, interrupted: boolean): CheckRecord {
  const { id, requirement, operation, level, title } = check;
  const reason = interrupted ? 'not run: the run was interrupted' : 'not run: the suite ended before it';
  return { id, requirement, operation, level, title, verdict: 'blocked', reason, exchanges: [], durationMs: 0 };
}
