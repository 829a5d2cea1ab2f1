import { instantOf, isAfter } from '../core/instant.ts';
import { at } from '../core/json.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { billingAccountAnswerSchema } from '../schemas/billing-account.ts';
import { createdOnce } from './created-once.ts';
import { dataConforms } from './data-conforms.ts';
import { type AnswerPromise, keptIf, ofSuccess } from './judgement.ts';

const reading = ['getBillingAccount'] as const;

export const accountRecord = ofSuccess('billing.record', reading, ({ json, exchange }) => {
  const asked = askedOf(exchange);
  if (asked === undefined) return undefined;
  const got = at(json, 'data', 'id');
  return keptIf(
    got === asked.ownerId,
    () => `data with id ${describe(asked.ownerId)}`,
    () => `id ${describe(got)}`,
  );
});

export const accountTypes = ofSuccess('billing.types', reading, (answer) =>
  dataConforms(billingAccountAnswerSchema, answer),
);

/** Section 2.6 says number, as of the amounts of money, which may have fractions. Organizations have none. */
export const accountWholeCount = ofSuccess('billing.whole-count', reading, ({ json }) => {
  const count = at(json, 'data', 'organizationCount');
  if (typeof count !== 'number') return undefined;
  return keptIf(Number.isInteger(count) && count >= 0, 'organizationCount, a whole number not below 0', () =>
    describe(count),
  );
});

/** Section 2.6: the format of these times is open, so only those that can be read are compared. */
export const accountPeriodInOrder = ofSuccess('billing.period-in-order', reading, ({ json }) => {
  const [start, end] = [at(json, 'data', 'billingPeriodStart'), at(json, 'data', 'billingPeriodEnd')];
  const isReversed = isAfter(start, end);
  if (isReversed === undefined || isUnset(start) || isUnset(end)) return undefined;
  return keptIf(
    !isReversed,
    'billingPeriodEnd not before billingPeriodStart',
    () => `${describe(end)} before ${describe(start)}`,
  );
});

/** A time that was never set may be shown as the beginning of the year 1 or of 1970. */
function isUnset(time: unknown): boolean {
  return (instantOf(time) ?? 0) <= 0;
}

/** Section 2.6: successful answers with one account each. */
export const accountCreatedOnce = createdOnce(
  'billing.created-once',
  ['data'],
  (answer) => askedOf(answer.exchange)?.ownerId,
);

/** Sections 2.6 and 4.4. */
export const billingPromises: readonly AnswerPromise[] = [
  accountRecord,
  accountTypes,
  accountWholeCount,
  accountPeriodInOrder,
];
