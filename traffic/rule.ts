import { type Exchange, isSuccess } from '../core/exchange.ts';
import { Violation } from '../engine/verdict.ts';
import type { Judgement } from '../promises/judgement.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Operation } from '../spec/requirement.ts';
import type { Recorded } from './recorded.ts';

/** An exchange that says something about a promise: that it was kept, unless there is a violation. */
export type Seen = { readonly exchange: Exchange; readonly violation: Violation | undefined };

/** A promise that recorded traffic can be held to: whatever it accuses, no legal deployment does, whoever else is about. */
export type Rule = {
  readonly requirement: RequirementId;
  /** Whether it says nothing unless the name of the idempotency header is known. */
  readonly needsKeyHeader?: true;
  /** Pairs of exchanges are looked at in the order in which they were sent. */
  readonly over: (traffic: readonly Recorded[]) => readonly Seen[];
};

/** A promise that each exchange keeps or breaks by itself. */
export function eachExchange(requirement: RequirementId, judge: (recorded: Recorded) => Judgement): Rule {
  return {
    requirement,
    over: (traffic) => traffic.flatMap((recorded) => seenAs(judge(recorded), recorded.exchange)),
  };
}

/** A promise about the whole body of every 2xx answer of these operations. */
export function eachSuccess(
  requirement: RequirementId,
  operations: readonly Operation[],
  judge: (recorded: Recorded) => Judgement,
): Rule {
  return eachExchange(requirement, (recorded) => {
    const { route, isWhole, answer } = recorded;
    // What is no JSON is for robustness.json alone.
    const isJudged =
      isWhole && isSuccess(answer) && answer.problem === undefined && operations.includes(route.operation);
    return isJudged ? judge(recorded) : undefined;
  });
}

/** What a judgement of an exchange says of the promise: nothing, or one thing. */
export function seenAs(judgement: Judgement, exchange: Exchange): readonly Seen[] {
  if (judgement === undefined) return [];
  if (judgement === 'kept') return [{ exchange, violation: undefined }];
  const { expected, actual, evidence } = judgement;
  return [{ exchange, violation: new Violation(expected, actual, evidence ?? [exchange]) }];
}
