import { expect, test } from 'vitest';
import { billingAccountSchema } from '../../schemas/billing-account.ts';
import { withAccountFields } from '../../testing/answers/with-account-fields.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Everything but the ID. */
const shownFields = Object.keys(billingAccountSchema.shape).filter((field) => field !== 'id');

test.each([
  ['are as they are', () => ({}), []],
  ['are edited once', (turn: number) => ({ name: turn < 2 ? 'a' : 'b' }), []],
  ['are edited, and edited back', (turn: number) => ({ isActive: turn !== 1 }), []],
  ['are edited before each reading', (turn: number) => ({ aiUsageIncludedCreditsCents: turn }), []],
  ['are not shown to each reader', (_turn: number, name: string) => (name === 'dave' ? { name: null } : {}), []],
  ['count what is attached', (turn: number) => ({ organizationCount: turn % 2 }), []],
  [
    'are edited, which some copies show late',
    (turn: number, _name: string, seconds: number) => ({ name: turn % 3 === 0 && seconds < 20 ? 'a' : 'b' }),
    [],
  ],
  [
    'depend on the reader',
    (_turn: number, name: string) => ({ name: name === 'dave' ? 'b' : 'a' }),
    [expect.stringMatching(/^warned: expected name "[ab]", for each reader and each time; got "[ab]"$/)],
  ],
  [
    'depend on the server',
    (turn: number) => ({ isActive: turn % 5 !== 1 }),
    [expect.stringMatching(/^warned: expected isActive (true|false), for each reader/)],
  ],
  [
    'are not shown twice',
    () => Object.fromEntries(shownFields.map((field) => [field, null])),
    ['blocked: no billing account shows a field twice that only an edit changes'],
  ],
] as const)('fields of an account that %s', async (_how, fieldsOf, said) => {
  expect(
    await saidBy('billing.same-record', { through: withAccountFields((_account, ...reading) => fieldsOf(...reading)) }),
  ).toEqual(said);
});
