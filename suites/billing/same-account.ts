import { type Answer, isSuccess } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { accountsSeen } from '../../engine/session/seen-accounts.ts';
import { Blocked } from '../../engine/verdict.ts';
import { heardMs } from '../../promises/deletion.ts';
import { adminsOf } from '../../stage/lists/lists.ts';
import { type Cell, givenGranted } from '../access/access-matrix.ts';

/** What a billing account says of itself. Its period may move on, and its count changes. */
const settledFields = [
  'name',
  'isActive',
  'platformFeeWaived',
  'allowOnDemandAiUsage',
  'subscriptionStatus',
  'aiUsageIncludedCreditsCents',
  'aiUsageOverageLimitCents',
] as const;

/** How often each admin reads an account again whose fields changed to and fro, and how many times after a pause. */
const [readAgain, rounds] = [6, 2];

/**
 * Section 2.6. All readings of the run are compared. Another client may edit an account and undo that. So what changed to and fro is
 * read again, by each admin in turn. A copy may lag behind an edit, so it is read once more when every copy must show it.
 */
export const sameAccount: Check = check('billing.same-record', { phase: 'later' }, async (api) => {
  // Each admin reads each account. One reads once more, because a difference between two readings may be an edit.
  const [granted] = await givenGranted(api, 'getBillingAccount');
  const isReadTwice = (one: Cell): boolean => readingsBy(api, one).length > 1;
  if (granted !== undefined && !isReadTwice(granted))
    await api.getBillingAccount(as(granted.principal), granted.resource);
  const seen = [...accountsSeen(api.session)];
  const isComparable = (field: string, readings: readonly Answer[]) => shownIn(field, readings).length > 1;
  if (!seen.some(([, readings]) => settledFields.some((field) => isComparable(field, readings))))
    throw new Blocked('no billing account shows a field twice that only an edit changes');
  for (const [id, readings] of seen) {
    const found = returnIn(readings) && (await returnInEachRound(api, id));
    if (found === undefined) continue;
    const { field, before, after } = found;
    const expected = `${field} ${describe(before.value)}, for each reader and each time`;
    must(false, expected, describe(after.value), before.answer, after.answer);
  }
});

/** What the principal of the cell read of its account so far. */
function readingsBy({ session }: Api, { principal, resource }: Cell): readonly Answer[] {
  const readings = accountsSeen(session).get(resource) ?? [];
  return readings.filter(({ exchange }) => exchange.caller === principal.name);
}

/** The field of the last round; undefined if no field changed to and fro in one of the rounds. */
async function returnInEachRound(api: Api, id: string): Promise<Return | undefined> {
  const owner = api.session.target.billingAccounts.find((account) => account.id === id)?.owner;
  const admins = owner === undefined ? [] : adminsOf(api, owner);
  let found: Return | undefined;
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await api.session.clock.sleep(heardMs);
    const again: Answer[] = [];
    for (let turn = 0; turn < readAgain; turn += 1)
      for (const admin of admins) again.push(await api.getBillingAccount(as(admin), id));
    found = returnIn(again.filter(isSuccess));
    if (found === undefined) return undefined;
  }
  return found;
}

type Shown = { readonly value: unknown; readonly answer: Answer };

/** A field that has an earlier value again: the value, and the one that came between. */
type Return = { readonly field: string; readonly before: Shown; readonly after: Shown };

/** The values of a field, where it is shown. */
function shownIn(field: string, answers: readonly Answer[]): readonly Shown[] {
  return answers.flatMap((answer) => {
    const value = at(answer.json, 'data', field) ?? undefined;
    return value === undefined ? [] : [{ value, answer }];
  });
}

/** The first field that has an earlier value again, which no single edit explains. */
function returnIn(answers: readonly Answer[]): Return | undefined {
  for (const field of settledFields) {
    const shown = shownIn(field, answers);
    const changes = shown.filter(({ value }, index) => index === 0 || value !== shown[index - 1]?.value);
    const back = changes.findIndex(({ value }, index) => changes.slice(0, index).some((one) => one.value === value));
    const [after, before] = [changes[back - 1], changes[back]];
    if (before !== undefined && after !== undefined) return { field, before, after };
  }
  return undefined;
}
