import type { AcceptedGap, CheckRecord, GapRecord, RunRecord } from './record.ts';

/** The check, marked as accepted where it is blocked and a gap in force covers it. */
export function acceptGap(check: CheckRecord, gaps: readonly AcceptedGap[], startedAt: number): CheckRecord {
  if (check.verdict !== 'blocked') return check;
  const gap = gaps.find((candidate) => covers(candidate, check) && !isExpired(candidate, startedAt));
  return gap === undefined ? check : { ...check, accepted: gap };
}

/** A gap and its state after a run of these checks, which began at `startedAt`, in milliseconds since the epoch. */
export function gapRecord(gap: AcceptedGap, checks: readonly CheckRecord[], startedAt: number): GapRecord {
  const own = checks.filter((check) => covers(gap, check));
  return { ...gap, state: stateOf(gap, own, startedAt), checks: own.map(({ id }) => id) };
}

function stateOf(gap: AcceptedGap, own: readonly CheckRecord[], startedAt: number): GapRecord['state'] {
  if (isExpired(gap, startedAt)) return 'expired';
  if (own.some(({ verdict }) => verdict === 'blocked')) return 'applied';
  // A check that reached no verdict did not exercise anything.
  return own.length > 0 && own.every(({ verdict }) => verdict !== 'errored') ? 'stale' : 'untested';
}

export function isExpired({ expires }: { readonly expires: string }, startedAt: number): boolean {
  return new Date(startedAt).toISOString().slice(0, 10) > expires;
}

function covers({ notExercised }: AcceptedGap, { id, requirement }: CheckRecord): boolean {
  return notExercised === id || notExercised === requirement;
}

/** An accepted gap in one sentence. */
export function gapSentence({ reason, owner, expires }: AcceptedGap): string {
  return `Accepted until ${expires} by ${owner}: ${reason}`;
}

/** What a run did not exercise, as accepted: a line for each gap in force. */
export function gapLines({ acceptedGaps = [] }: RunRecord): readonly string[] {
  return acceptedGaps.flatMap((gap) => (gap.state === 'applied' ? [`${gap.notExercised}: ${gapSentence(gap)}`] : []));
}

/** Why an accepted gap makes the run fail, and what to do about it; undefined where it does not. */
export function gapProblem({ notExercised, state, expires, owner }: GapRecord): string | undefined {
  switch (state) {
    case 'stale':
      return `The accepted gap ${notExercised} is stale: the run exercised it. Remove it (owner: ${owner}).`;
    case 'expired':
      return `The accepted gap ${notExercised} expired on ${expires}. Exercise it or agree on a new date (owner: ${owner}).`;
    case 'applied':
    case 'untested':
      return undefined;
  }
}
