import type { Exchange } from '../core/exchange.ts';
import { Violation } from '../engine/verdict.ts';
import type { Judgement, Promised } from '../promises/judgement.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { MessageFacts } from './message-facts.ts';
import type { Recorded } from './recorded.ts';
import type { RecordedPage } from './recorded-pages.ts';

/** An exchange that says something about a requirement: that it holds, unless there is a violation. */
export type Seen = {
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly violation: Violation | undefined;
};

/** What a judgement says about a requirement: nothing, or one thing. */
export function seenAs(requirement: RequirementId, judgement: Judgement, exchange: Exchange): readonly Seen[] {
  if (judgement === undefined) return [];
  if (judgement === 'kept') return [{ requirement, exchange, violation: undefined }];
  const { expected, actual, evidence } = judgement;
  return [{ requirement, exchange, violation: new Violation(expected, actual, evidence ?? [exchange]) }];
}

/** Everything that was recorded, its readable pages, and what is known of its messages. */
export type Recording = {
  readonly traffic: readonly Recorded[];
  readonly pages: readonly RecordedPage[];
  readonly messages: readonly MessageFacts[];
};

/** Something that a requirement is about, and the last of the exchanges that show it. */
export type Found<Subject> = { readonly subject: Subject; readonly exchange: Exchange };

/** A requirement about several exchanges, and what a recording shows about it. */
export type Rule = { readonly requirement: RequirementId; readonly seenIn: (recording: Recording) => readonly Seen[] };

/** `find` returns only what no unrecorded request can explain. */
export function rule<Subject>(
  { requirement, judge }: Promised<Subject>,
  find: (recording: Recording) => readonly Found<Subject>[],
): Rule {
  return {
    requirement,
    seenIn: (recording) =>
      find(recording).flatMap(({ subject, exchange }) => seenAs(requirement, judge(subject), exchange)),
  };
}
