import type { Answer, Exchange } from '../core/exchange.ts';
import { isAfter, isSameTime } from '../core/instant.ts';
import { at, stringAt } from '../core/json.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { billingAccountAnswerSchema } from '../schemas/billing-account.ts';
import { dataConforms } from './data-conforms.ts';
import { type AnswerPromise, keptIf, ofSuccess, promised } from './judgement.ts';

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
  if (isReversed === undefined) return undefined;
  return keptIf(
    !isReversed,
    'billingPeriodEnd not before billingPeriodStart',
    () => `${describe(end)} before ${describe(start)}`,
  );
});

/** Section 2.6: successful answers with one account each. Their format is open, so times of a form whose instant is unclear are not compared. */
export const accountCreatedOnce = promised('billing.created-once', (answers: readonly Answer[]) => {
  const first = new Map<string, { readonly time: string; readonly exchange: Exchange }>();
  let compared = 0;
  for (const { json, exchange } of answers) {
    const [id, time] = [stringAt(json, 'data', 'id'), stringAt(json, 'data', 'createdAt')];
    if (id === undefined || id !== askedOf(exchange)?.ownerId || time === undefined) continue;
    const before = first.get(id) ?? { time, exchange };
    first.set(id, before);
    const isSame = before.time === time || (isSameTime(before.time, time) ?? areOneNumber(before.time, time));
    if (isSame === true && before.exchange !== exchange) compared += 1;
    if (isSame === false) {
      const expected = `createdAt ${describe(before.time)} of ${describe(id)} at each reading`;
      return { expected, actual: describe(time), evidence: [before.exchange, exchange] };
    }
  }
  return compared > 0 ? 'kept' : undefined;
});

/** Whether two numbers written as texts may be one, rounded in two ways; undefined for texts that are no numbers of one length. */
function areOneNumber(one: string, other: string): boolean | undefined {
  const [first, second] = [one, other].map((text) => /^(\d+)(?:\.\d+)?$/.exec(text));
  if (first?.[1] === undefined || first[1].length !== second?.[1]?.length) return undefined;
  return Math.abs(Number(one) - Number(other)) <= 1;
}

/** Sections 2.6 and 4.4. */
export const billingPromises: readonly AnswerPromise[] = [
  accountRecord,
  accountTypes,
  accountWholeCount,
  accountPeriodInOrder,
];
