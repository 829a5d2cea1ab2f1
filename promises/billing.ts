import { at } from '../core/json.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { billingAccountAnswerSchema } from '../schemas/billing-account.ts';
import { dataConforms } from './data-conforms.ts';
import { type AnswerPromise, keptIf, ofSuccess } from './judgement.ts';

const reading = ['getBillingAccount'] as const;

export const accountRecord = ofSuccess('billing.record', reading, ({ json, exchange }) => {
  const asked = askedOf(exchange);
  if (asked === undefined) return undefined;
  const got = at(json, 'data', 'id');
  return keptIf(got === asked.ownerId, `data with id ${describe(asked.ownerId)}`, () => `id ${describe(got)}`);
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

/** Sections 2.6 and 4.4. */
export const billingPromises: readonly AnswerPromise[] = [accountRecord, accountTypes, accountWholeCount];
