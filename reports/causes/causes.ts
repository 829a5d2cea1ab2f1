import { catalogue } from '../../spec/catalogue.ts';
import { statusOf } from '../record/check-status.ts';
import type { Cause, CheckRecord } from '../record/record.ts';
import { consequences } from './consequences.ts';

/** The least share of what a known fault breaks that must be violated, of the checks that were exercised. */
const leastShare = 0.8;

/** What one fault broke in the kill matrix. */
type Pattern = {
  /** Checks of the requirement that the fault breaks. */
  readonly killers: readonly string[];
  /** Other checks that failed with them. */
  readonly fallen: readonly string[];
};

const patternsOf: ReadonlyMap<string, readonly Pattern[]> = new Map(
  consequences
    .trim()
    .split('\n')
    .map((line) => {
      const [cause = '', patterns = ''] = line.split(': ');
      return [cause, patterns.split('; ').map(readPattern)] as const;
    }),
);

function readPattern(text: string): Pattern {
  const [killers = [], fallen = []] = text.split(' > ').map((ids) => ids.split(' '));
  return { killers, fallen };
}

const placeOf = new Map<string, number>(catalogue.map(({ id }, place) => [id, place]));

function place(requirement: string): number {
  return placeOf.get(requirement) ?? catalogue.length;
}

/**
 * The violated requirements, each with those that it explains: where a fault of it is known that breaks every violated check of
 * the other, and hardly anything that is not violated. The first cause explains the most other violations; of equal
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
  const explainable = new Map([...left].map((cause) => [cause, patternsIn(checks, cause)]));
  const explains = (cause: string, other: string) =>
    other !== cause &&
    (failed.has(cause) || !failed.has(other)) &&
    (explainable.get(cause) ?? []).some(({ fallen }) => named(other).checks.every((id) => fallen.includes(id)));
  const explainedBy = (cause: string) => [...left].filter((other) => explains(cause, other));
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

/** The patterns of a requirement's faults that these checks show. */
function patternsIn(checks: readonly CheckRecord[], requirement: string): readonly Pattern[] {
  const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]));
  const isViolated = (id: string) => verdicts.get(id) === 'failed' || verdicts.get(id) === 'warned';
  const isExercised = (id: string) => isViolated(id) || verdicts.get(id) === 'passed';
  const fits = ({ killers, fallen }: Pattern) => {
    const exercised = [...killers, ...fallen].filter(isExercised);
    return killers.some(isViolated) && exercised.filter(isViolated).length >= leastShare * exercised.length;
  };
  return (patternsOf.get(requirement) ?? []).filter(fits);
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
