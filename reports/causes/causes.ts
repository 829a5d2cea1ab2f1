import { catalogue } from '../../spec/catalogue.ts';
import { statusOf } from '../record/check-status.ts';
import type { Cause, CheckRecord } from '../record/record.ts';
import { consequences } from './consequences.ts';

/** By requirement: the requirements that fell with its faults in the kill matrix, and with how many of them. */
const fellWith: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  consequences
    .trim()
    .split('\n')
    .map((line) => {
      const [cause = '', fallen = ''] = line.split(': ');
      const counts = fallen.split(', ').map((item) => {
        const [requirement = '', count = '0'] = item.split(' ');
        return [requirement, Number(count)] as const;
      });
      return [cause, new Map(counts)] as const;
    }),
);

const placeOf = new Map<string, number>(catalogue.map(({ id }, place) => [id, place]));

function place(requirement: string): number {
  return placeOf.get(requirement) ?? catalogue.length;
}

/** Whether a violation of one requirement explains a violation of the other: its faults break the other more often than the reverse. */
function explains(cause: string, other: string): boolean {
  const there = fellWith.get(cause)?.get(other) ?? 0;
  const back = fellWith.get(other)?.get(cause) ?? 0;
  return there > back || (there === back && there > 0 && place(cause) < place(other));
}

/**
 * The violated requirements, each with those that it explains. The first cause explains the most other violations; of equal
 * ones, a must before a should, then the first of the catalogue. The next cause is found among what is left. A should never explains a failure.
 */
export function causesOf(checks: readonly CheckRecord[]): readonly Cause[] {
  const violated = checks.filter((check) => statusOf(check) === 'failed' || statusOf(check) === 'warned');
  const byRequirement = Map.groupBy(violated, ({ requirement }) => requirement);
  const failed = new Set(violated.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement));
  const named = (requirement: string) => {
    return { requirement, checks: (byRequirement.get(requirement) ?? []).map(({ id }) => id) };
  };
  const musts = new Set(violated.filter(({ level }) => level === 'must').map(({ requirement }) => requirement));
  const rank = (requirement: string) => place(requirement) + (musts.has(requirement) ? 0 : 2 * catalogue.length);
  const left = new Set([...byRequirement.keys()].toSorted((one, other) => rank(one) - rank(other)));
  const explainedBy = (cause: string) =>
    [...(fellWith.get(cause)?.keys() ?? [])].filter(
      (other) => left.has(other) && explains(cause, other) && (failed.has(cause) || !failed.has(other)),
    );
  const causes: Cause[] = [];
  for (const isCandidate of [(id: string) => failed.has(id), () => true]) {
    for (;;) {
      const best = plainest([...left].filter(isCandidate), explainedBy);
      if (best === undefined) break;
      const explained = explainedBy(best);
      causes.push({ ...named(best), consequences: explained.map(named) });
      for (const id of [best, ...explained]) left.delete(id);
    }
    // What explains nothing is a cause of its own.
    for (const id of [...left].filter(isCandidate)) {
      causes.push({ ...named(id), consequences: [] });
      left.delete(id);
    }
  }
  return causes;
}

/** The one that explains the most, and at least one; of equal ones, the first. */
function plainest(ids: readonly string[], explainedBy: (cause: string) => readonly string[]): string | undefined {
  let best: { readonly id: string; readonly count: number } | undefined;
  for (const id of ids) {
    const count = explainedBy(id).length;
    if (count > (best?.count ?? 0)) best = { id, count };
  }
  return best?.id;
}
