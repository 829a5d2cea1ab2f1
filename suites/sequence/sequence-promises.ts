import type { Answer } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';

/** The requirements that sequences judge, by the IDs of their checks without the variant. */
export const sequencePromises = [
  'paging.any-id-is-cursor/listModels',
  'paging.any-id-is-cursor/listDataSources',
  'models.filter',
  'delete.gone-or-marked',
  'delete.others-untouched',
  'idempotency.after',
  'idempotency.later',
  'conflict.refused',
  'attach.count',
  'attach.twice',
  'access.denied/listDataSources',
  'access.models-404',
] as const;
export type SequencePromise = (typeof sequencePromises)[number];

/** An answer that the model does not allow, and the promise that it breaks. */
export class Disagreement extends Violation {
  readonly promise: SequencePromise;

  constructor(promise: SequencePromise, expected: string, actual: string, evidence: readonly Answer[]) {
    super(
      expected,
      actual,
      evidence.map(({ exchange }) => exchange),
    );
    this.promise = promise;
  }
}

/** What one command showed: kept promises, and at most one broken one. */
export type Shown = { readonly kept: readonly SequencePromise[]; readonly broken: Disagreement | undefined };

export const nothingShown: Shown = { kept: [], broken: undefined };

export function kept(...promises: readonly SequencePromise[]): Shown {
  return { kept: promises, broken: undefined };
}

export function broken(
  promise: SequencePromise,
  expected: string,
  actual: string,
  ...evidence: readonly Answer[]
): Shown {
  return { kept: [], broken: new Disagreement(promise, expected, actual, evidence) };
}
