import type { Exchange } from '../core/exchange.ts';
import { Violation } from '../engine/verdict.ts';
import type { Judgement } from '../promises/judgement.ts';
import type { RequirementId } from '../spec/catalogue.ts';

/** An exchange that says something about a promise: that it was kept, unless there is a violation. */
export type Seen = {
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly violation: Violation | undefined;
};

/** What a judgement says about a promise: nothing, or one thing. */
export function seenAs(requirement: RequirementId, judgement: Judgement, exchange: Exchange): readonly Seen[] {
  if (judgement === undefined) return [];
  if (judgement === 'kept') return [{ requirement, exchange, violation: undefined }];
  const { expected, actual, evidence } = judgement;
  return [{ requirement, exchange, violation: new Violation(expected, actual, evidence ?? [exchange]) }];
}
