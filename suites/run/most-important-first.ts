import type { Check } from '../../engine/check.ts';

/**
 * The order for a run that may end before its last check: one check of each must, then the other checks of musts, then the
 * shoulds; among each, those that only read come first. The order does not depend on the time of the run, so a longer time
 * never judges less.
 */
export function mostImportantFirst<Id extends string>(checks: readonly Check<Id>[]): readonly Check<Id>[] {
  const musts = new Map<Id, Check<Id>>();
  const effects = ({ uses, mayUse }: Check<Id>): number => uses.length + mayUse.length;
  const readingFirst = checks.toSorted((one, other) => effects(one) - effects(other));
  for (const check of readingFirst)
    if (check.level === 'must' && !musts.has(check.requirement)) musts.set(check.requirement, check);
  const rank = (check: Check<Id>): number => {
    if (check.level === 'should') return 2;
    return musts.get(check.requirement) === check ? 0 : 1;
  };
  return readingFirst.toSorted((one, other) => rank(one) - rank(other));
}
