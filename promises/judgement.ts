import { type Answer, type Exchange, isSuccess, summary } from '../core/exchange.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Operation } from '../spec/requirement.ts';

/** How a requirement is violated. */
export type Broken = {
  readonly expected: string;
  readonly actual: string;
  /** The exchanges that prove it, if they are fewer than those that were judged. */
  readonly evidence?: readonly Exchange[];
};

/** Undefined: not applicable. */
export type Judgement = 'kept' | Broken | undefined;

/**
 * A requirement and the only function that judges it. The subject is what was answered; what was asked is in the request
 * of its exchange.
 */
export type Promised<Subject> = {
  readonly requirement: RequirementId;
  readonly judge: (subject: Subject) => Judgement;
};

/** A promise that one answer keeps or breaks by itself. */
export type AnswerPromise = Promised<Answer>;

export function promised<Subject>(
  requirement: RequirementId,
  judge: (subject: Subject) => Judgement,
): Promised<Subject> {
  return { requirement, judge };
}

/** A promise about every 2xx answer of these operations. */
export function ofSuccess(
  requirement: RequirementId,
  operations: readonly Operation[],
  judge: (answer: Answer) => Judgement,
): AnswerPromise {
  return promised(requirement, (answer) => {
    if (!isSuccess(answer) || !operations.includes(answer.exchange.operation)) return undefined;
    const judgement = judge(answer);
    if (judgement === undefined || judgement === 'kept' || answer.problem === undefined) return judgement;
    return { ...judgement, actual: answer.problem };
  });
}

/** The same promise about each subject that an answer holds: broken by the first one that breaks it. */
export function eachIn<Subject>(
  subjectsIn: (answer: Answer) => readonly Subject[],
  { requirement, judge }: Promised<Subject>,
): AnswerPromise {
  return promised(requirement, (answer) => {
    let kept: 'kept' | undefined;
    for (const subject of subjectsIn(answer)) {
      const judgement = judge(subject);
      if (judgement === undefined) continue;
      if (judgement !== 'kept') return judgement;
      kept = judgement;
    }
    return kept;
  });
}

/** A text may be a function, because it is rarely needed. */
export function keptIf(holds: boolean, expected: Text, actual: Text): 'kept' | Broken {
  return holds ? 'kept' : { expected: textOf(expected), actual: textOf(actual) };
}

type Text = string | (() => string);

function textOf(text: Text): string {
  return typeof text === 'string' ? text : text();
}

/** A request that has to be refused: 400 and 422 are surely for that reason, another refusal may have a cause of its own. */
export function refusal(answer: Answer, reason: string): Judgement {
  if (isSuccess(answer)) return { expected: `no 2xx for ${reason}`, actual: summary(answer) };
  return answer.status === 400 || answer.status === 422 ? 'kept' : undefined;
}
