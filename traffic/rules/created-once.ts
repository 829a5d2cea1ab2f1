import { type Answer, isSuccess } from '../../core/exchange.ts';
import { isSameTime } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { accountCreatedOnce } from '../../promises/billing.ts';
import { chatCreatedOnce } from '../../promises/messages.ts';
import type { Operation } from '../../spec/requirement.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** Sections 2.3 and 2.6: an account and a chat have one time of creation. */
export const createdOnceRules = [
  rule(accountCreatedOnce, (recording) => answersAboutOne(recording, 'getBillingAccount', ['data'])),
  rule(chatCreatedOnce, (recording) => answersAboutOne(recording, 'sendMessage', ['data', 'chat'])),
];

/**
 * The answers about each record, one after the other, up to the last one that shows createdAt as the first did. A record that was
 * made anew under its ID keeps its new time, so the answers after that one say nothing.
 */
function answersAboutOne(
  { traffic }: Recording,
  operation: Operation,
  path: readonly string[],
): readonly Found<readonly Answer[]>[] {
  const createdAt = (answer: Answer | undefined): unknown => at(answer?.json, ...path, 'createdAt');
  const about = traffic.filter(
    ({ route, answer, isWhole, isTimed }) => route.operation === operation && isSuccess(answer) && isWhole && isTimed,
  );
  return [...Map.groupBy(about, ({ route }) => `${route.ownerId}/${route.id}`).values()].flatMap((ofOne) => {
    const answers = oneAfterTheOther(ofOne.map(({ answer }) => answer));
    const [first] = answers;
    const last = answers.findLastIndex((answer) => isSameTime(createdAt(first), createdAt(answer)) === true);
    const exchange = answers[last]?.exchange;
    return exchange === undefined ? [] : [{ subject: answers.slice(0, last + 1), exchange }];
  });
}

function oneAfterTheOther(answers: readonly Answer[]): readonly Answer[] {
  let endedAt = Number.NEGATIVE_INFINITY;
  return answers
    .toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt)
    .filter(({ exchange }) => {
      if (exchange.sentAt < endedAt) return false;
      endedAt = exchange.receivedAt;
      return true;
    });
}
