import type { RunRecord, WaiverRecord } from './record.ts';

/** Why a waiver makes the run fail, and what to do about it; undefined where it does not. */
export function waiverProblem({ waives, state, expires, owner }: WaiverRecord): string | undefined {
  switch (state) {
    case 'stale':
      return `The waiver of ${waives} is stale: everything it covers holds. Remove it (owner: ${owner}).`;
    case 'expired':
      return `The waiver of ${waives} expired on ${expires}. Mend what it covers, or agree on a new date (owner: ${owner}).`;
    case 'applied':
    case 'untested':
      return undefined;
  }
}

/** Everything about the waivers of a run that makes it fail, whatever its verdicts are. */
export function waiverProblems({ waivers }: RunRecord): readonly string[] {
  return waivers.map(waiverProblem).filter((problem) => problem !== undefined);
}
