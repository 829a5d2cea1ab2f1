import type { Answer, Exchange } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';
import type { Broken, Promised } from '../../promises/judgement.ts';

/** Throws the violation where the promise is broken. Whether the subject says anything about it. */
export function mustKeep<Subject>(
  { judge }: Promised<Subject>,
  subject: Subject,
  ...evidence: readonly Answer[]
): boolean {
  const judgement = judge(subject);
  if (judgement === undefined || judgement === 'kept') return judgement === 'kept';
  throw violationOf(
    judgement,
    evidence.map(({ exchange }) => exchange),
  );
}

export function violationOf({ expected, actual, evidence }: Broken, judged: readonly Exchange[]): Violation {
  return new Violation(expected, actual, evidence ?? judged);
}
