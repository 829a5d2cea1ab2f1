import { type Answer, isSuccess } from '../../core/exchange.ts';
import { isSameTime } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { accountCreatedOnce } from '../../promises/billing.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** Section 2.6: an account has one time of creation. */
export const accountRules = [rule(accountCreatedOnce, readingsOfOne)];

/**
 * The readings of each account, one after the other, up to the last one that shows createdAt as the first did. An account that was
 * made anew under its ID keeps its new time, so the readings after that one say nothing.
 */
function readingsOfOne({ traffic }: Recording): readonly Found<readonly Answer[]>[] {
  const read = traffic.filter(
    ({ route, answer, isWhole, isTimed }) =>
      route.operation === 'getBillingAccount' && isSuccess(answer) && isWhole && isTimed,
  );
  return [...Map.groupBy(read, ({ route }) => route.ownerId).values()].flatMap((ofOne) => {
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

function createdAt(answer: Answer | undefined): unknown {
  return at(answer?.json, 'data', 'createdAt');
}
