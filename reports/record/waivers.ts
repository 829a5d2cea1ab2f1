import { decisiveOf } from './check-status.ts';
import type { AcceptedGap, CheckRecord, GapRecord, RunRecord, Waiver, WaiverRecord } from './record.ts';

/** What a waiver file holds. */
export type Waivers = { readonly waivers: readonly Waiver[]; readonly acceptedGaps: readonly AcceptedGap[] };

export const noWaivers: Waivers = { waivers: [], acceptedGaps: [] };

/**
 * The check, marked where a waiver covers its violation or an accepted gap covers what blocks it. Both are in force to the end of
 * their day in UTC, judged by `startedAt`, in milliseconds since the epoch.
 */
export function settled(check: CheckRecord, { waivers, acceptedGaps }: Waivers, startedAt: number): CheckRecord {
  const isInForce = (id: string, expires: string) => covers(id, check) && !isExpired(expires, startedAt);
  const waived = waivers.find(({ waives, expires }) => isInForce(waives, expires));
  if (isViolated(check)) return waived === undefined ? check : { ...check, waived };
  const accepted = acceptedGaps.find(({ notExercised, expires }) => isInForce(notExercised, expires));
  return check.verdict === 'blocked' && accepted !== undefined ? { ...check, accepted } : check;
}

/** A waiver and its state after a run of these checks, which began at `startedAt`. */
export function waiverRecord(waiver: Waiver, checks: readonly CheckRecord[], startedAt: number): WaiverRecord {
  const own = checks.filter((check) => covers(waiver.waives, check));
  const isStale = own.every(({ verdict }) => verdict === 'passed');
  return {
    ...waiver,
    ...inRun(own, { isExpired: isExpired(waiver.expires, startedAt), isApplied: own.some(isViolated), isStale }),
  };
}

/** A gap and its state after a run of these checks, which began at `startedAt`. `extended` are the ids of extended checks. */
export function gapRecord(
  gap: AcceptedGap,
  checks: readonly CheckRecord[],
  extended: ReadonlySet<string>,
  startedAt: number,
): GapRecord {
  const own = checks.filter((check) => covers(gap.notExercised, check));
  const decisive = decisiveOf(own, extended);
  const isApplied = decisive.some(({ verdict }) => verdict === 'blocked');
  // A check that reached no verdict did not exercise anything.
  const isStale = decisive.every(({ verdict }) => verdict !== 'errored');
  return { ...gap, ...inRun(own, { isExpired: isExpired(gap.expires, startedAt), isApplied, isStale }) };
}

type Standing = { readonly isExpired: boolean; readonly isApplied: boolean; readonly isStale: boolean };

function inRun(own: readonly CheckRecord[], standing: Standing): Pick<WaiverRecord, 'state' | 'checks'> {
  const checks = own.map(({ id }) => id);
  if (standing.isExpired) return { state: 'expired', checks };
  if (standing.isApplied) return { state: 'applied', checks };
  return { state: standing.isStale && own.length > 0 ? 'stale' : 'untested', checks };
}

function isExpired(expires: string, startedAt: number): boolean {
  return new Date(startedAt).toISOString().slice(0, 10) > expires;
}

function covers(covered: string, { id, requirement }: CheckRecord): boolean {
  return covered === id || covered === requirement;
}

function isViolated({ verdict }: CheckRecord): boolean {
  return verdict === 'failed' || verdict === 'warned';
}

/** A waiver in one sentence. */
export function waiverSentence({ reason, owner, link, expires }: Waiver): string {
  return `Waived until ${expires} by ${owner}: ${reason} (${link})`;
}

/** An accepted gap in one sentence. */
export function gapSentence({ reason, owner, expires }: AcceptedGap): string {
  return `Accepted until ${expires} by ${owner}: ${reason}`;
}

/** What a run did not exercise, as accepted: a line for each gap in force. */
export function gapLines({ acceptedGaps = [] }: RunRecord): readonly string[] {
  return acceptedGaps.flatMap((gap) => (gap.state === 'applied' ? [`${gap.notExercised}: ${gapSentence(gap)}`] : []));
}

/** A waiver or an accepted gap of a run. */
export type Exception = {
  readonly kind: 'waiver' | 'accepted gap';
  readonly name: string;
  readonly state: WaiverRecord['state'];
  readonly sentence: string;
  /** Why it makes the run fail, and what to do about it; undefined where it does not. */
  readonly problem: string | undefined;
  readonly writtenAt: Waiver['writtenAt'];
};

export function exceptionsOf({ waivers, acceptedGaps = [] }: RunRecord): readonly Exception[] {
  return [
    ...waivers.map((waiver) => {
      const { waives, expires, owner } = waiver;
      return exceptionOf('waiver', `waiver of ${waives}`, waiver, {
        sentence: waiverSentence(waiver),
        stale: `The waiver of ${waives} is stale: every check it covers passed. Remove it (owner: ${owner}).`,
        expired: `The waiver of ${waives} expired on ${expires}. Fix the violation or agree on a new date (owner: ${owner}).`,
      });
    }),
    ...acceptedGaps.map((gap) => {
      const { notExercised, expires, owner } = gap;
      return exceptionOf('accepted gap', `accepted gap ${notExercised}`, gap, {
        sentence: gapSentence(gap),
        stale: `The accepted gap ${notExercised} is stale: the run exercised it. Remove it (owner: ${owner}).`,
        expired: `The accepted gap ${notExercised} expired on ${expires}. Exercise it or agree on a new date (owner: ${owner}).`,
      });
    }),
  ];
}

function exceptionOf(
  kind: Exception['kind'],
  name: string,
  { state, writtenAt }: WaiverRecord | GapRecord,
  { sentence, stale, expired }: Readonly<Record<'sentence' | 'stale' | 'expired', string>>,
): Exception {
  const problem = { stale, expired, applied: undefined, untested: undefined }[state];
  return { kind, name, state, sentence, problem, writtenAt };
}

/** Everything about the waivers and accepted gaps of a run that makes it fail, whatever its verdicts are. */
export function waiverProblems(record: RunRecord): readonly string[] {
  return exceptionsOf(record).flatMap(({ problem }) => problem ?? []);
}
