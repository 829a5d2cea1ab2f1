import type { Answer } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';
import type { Judgement, Promised } from '../../promises/judgement.ts';

/** Throws a violation if the promise is broken. Returns whether the subject exercised it. */
export function mustKeep<Subject>(
  { judge }: Promised<Subject>,
  subject: Subject,
  ...evidence: readonly Answer[]
): boolean {
  return mustBeKept(judge(subject), '', ...evidence);
}

/** The same for a judgement; `when` says in which case it was judged. */
export function mustBeKept(judgement: Judgement, when: string, ...evidence: readonly Answer[]): boolean {
  if (judgement === undefined || judgement === 'kept') return judgement === 'kept';
  const { expected, actual } = judgement;
  const exchanges = judgement.evidence ?? evidence.map(({ exchange }) => exchange);
  throw new Violation(when === '' ? expected : `${expected} ${when}`, actual, exchanges);
}
