import { acceptGap, gapProblem, isExpired } from './gaps.ts';
import type { AcceptedGap, CheckRecord, RunRecord, Waiver, WaiverRecord } from './record.ts';

/** What a waiver file holds. */
export type Waivers = { readonly waivers: readonly Waiver[]; readonly acceptedGaps: readonly AcceptedGap[] };

export const noWaivers: Waivers = { waivers: [], acceptedGaps: [] };

/** The check, marked where a waiver covers its violation or an accepted gap covers what blocks it. */
export function settled(check: CheckRecord, { waivers, acceptedGaps }: Waivers, startedAt: number): CheckRecord {
  return acceptGap(waive(check, waivers, startedAt), acceptedGaps, startedAt);
}

/** The check, marked as waived where it is violated and a waiver in force covers it; nothing else can be waived. */
function waive(check: CheckRecord, waivers: readonly Waiver[], startedAt: number): CheckRecord {
  if (!isViolated(check)) return check;
  const waiver = waivers.find((candidate) => covers(candidate, check) && !isExpired(candidate, startedAt));
  return waiver === undefined ? check : { ...check, waived: waiver };
}

/**
 * A waiver and its state after a run of these checks. It is in force to the end of its day in UTC, judged by `startedAt`, in
 * milliseconds since the epoch.
 */
export function waiverRecord(waiver: Waiver, checks: readonly CheckRecord[], startedAt: number): WaiverRecord {
  const own = checks.filter((check) => covers(waiver, check));
  return { ...waiver, state: stateOf(waiver, own, startedAt), checks: own.map(({ id }) => id) };
}

function stateOf(waiver: Waiver, own: readonly CheckRecord[], startedAt: number): WaiverRecord['state'] {
  if (isExpired(waiver, startedAt)) return 'expired';
  if (own.some(isViolated)) return 'applied';
  return own.length > 0 && own.every(({ verdict }) => verdict === 'passed') ? 'stale' : 'untested';
}

function covers({ waives }: Waiver, { id, requirement }: CheckRecord): boolean {
  return waives === id || waives === requirement;
}

function isViolated({ verdict }: CheckRecord): boolean {
  return verdict === 'failed' || verdict === 'warned';
}

/** A waiver in one sentence. */
export function waiverSentence({ reason, owner, link, expires }: Waiver): string {
  return `Waived until ${expires} by ${owner}: ${reason} (${link})`;
}

/** Why a waiver makes the run fail, and what to do about it; undefined where it does not. */
export function waiverProblem({ waives, state, expires, owner }: WaiverRecord): string | undefined {
  switch (state) {
    case 'stale':
      return `The waiver of ${waives} is stale: every check it covers passed. Remove it (owner: ${owner}).`;
    case 'expired':
      return `The waiver of ${waives} expired on ${expires}. Fix the violation or agree on a new date (owner: ${owner}).`;
    case 'applied':
    case 'untested':
      return undefined;
  }
}

/** Everything about the waivers and accepted gaps of a run that makes it fail, whatever its verdicts are. */
export function waiverProblems({ waivers, acceptedGaps = [] }: RunRecord): readonly string[] {
  return [...waivers.map(waiverProblem), ...acceptedGaps.map(gapProblem)].filter((problem) => problem !== undefined);
}
