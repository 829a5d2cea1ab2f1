import { answerPromises } from '../promises/all-promises.ts';
import type { Judgement } from '../promises/judgement.ts';
import { keyTooLong, waitHolds } from '../promises/messages.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { isEnough } from './is-enough.ts';
import { messageFacts } from './message-facts.ts';
import type { Recorded } from './recorded.ts';
import { seenRepetitions } from './repetitions.ts';
import { type Seen, seenAs } from './seen.ts';
import { standingErrors } from './standing-errors.ts';
import { seenWalks } from './walks.ts';

/** How much sooner than asked an answer may come without having been held too short, in milliseconds. */
const toleranceMs = 1000;

/** What a repeated key gives may be an earlier message, so that only a new request accuses. */
export const onlyOfNew: ReadonlySet<RequirementId> = new Set([
  'messages.text',
  'wait.holds',
  'wait.refused',
  'message.empty',
  'message.too-long',
  'message.missing',
  'message.not-a-string',
]);

/**
 * Everything that recorded traffic says about any promise. It accuses only of what no legal deployment does, whatever else
 * happened that was not recorded.
 */
export function seenIn(traffic: readonly Recorded[], keyHeader: string | undefined): readonly Seen[] {
  const facts = messageFacts(traffic, keyHeader);
  const standing = standingErrors(traffic);
  const factsOf = new Map(facts.map((fact) => [fact.recorded, fact]));
  const alone = traffic.flatMap((recorded) => {
    const { answer, isTimed } = recorded;
    const { isNew = false, key = '' } = factsOf.get(recorded) ?? {};
    const see = (requirement: RequirementId, judge: () => Judgement): readonly Seen[] => {
      const judgement = isEnough(requirement, recorded) ? judge() : undefined;
      const isRepetition = onlyOfNew.has(requirement) && judgement !== 'kept' && !isNew;
      const isAccident = requirement === 'errors.no-5xx' && judgement !== 'kept' && !standing.has(recorded);
      return isRepetition || isAccident ? [] : seenAs(requirement, judgement, answer.exchange);
    };
    return [
      ...answerPromises.flatMap(({ requirement, judge }) => see(requirement, () => judge(answer))),
      ...(isTimed ? see(waitHolds.requirement, () => waitHolds.judge({ answer, toleranceMs })) : []),
      ...see(keyTooLong.requirement, () => keyTooLong.judge({ answer, key })),
    ];
  });
  return [...alone, ...seenWalks(traffic), ...seenRepetitions(facts)];
}
