import type { Exchange } from '../core/exchange.ts';
import type { RequirementId } from '../spec/catalogue.ts';

/** How a promise was broken. */
export type Broken = {
  readonly expected: string;
  readonly actual: string;
  /** The exchanges that prove it, where they are fewer than those that were judged. */
  readonly evidence?: readonly Exchange[];
};

/** Undefined: what was judged says nothing about the promise. */
export type Judgement = 'kept' | Broken | undefined;

/** A requirement and the only function that judges it. The subject holds what was answered and what was asked. */
export type Promised<Subject> = {
  readonly requirement: RequirementId;
  readonly judge: (subject: Subject) => Judgement;
};

export function promised<Subject>(
  requirement: RequirementId,
  judge: (subject: Subject) => Judgement,
): Promised<Subject> {
  return { requirement, judge };
}

export function keptIf(holds: boolean, expected: string, actual: string | (() => string)): 'kept' | Broken {
  return holds ? 'kept' : { expected, actual: typeof actual === 'string' ? actual : actual() };
}
