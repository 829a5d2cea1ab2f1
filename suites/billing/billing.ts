import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { givenAttachment } from '../../stage/attachment/attachment.ts';
import { check, type Check } from '../../engine/check.ts';
import { at } from '../../core/json.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import type { BillingAccount, Principal } from '../../core/target.ts';
import { describe } from '../../core/text.ts';
import { unknownIds } from '../../stage/lists/unknown-id.ts';
import { Blocked } from '../../engine/verdict.ts';
import { accountRecord, accountTypes } from '../../promises/billing.ts';
import { mustKeep } from '../shared/must-keep.ts';

/** A declared billing account with an admin of its owner. */
type Readable = BillingAccount & { readonly admin: Principal };

/** Sections 2.6 and 4.4. */
export const billing: readonly Check[] = [
  check('billing.record', async (api) => {
    const accounts = givenReadable(api);
    // The first account is read again at the end: an answer must not depend on the account read before it.
    for (const { id, admin, owner } of [...accounts, ...accounts.slice(0, 1)]) {
      const answer = await api.getBillingAccount(as(admin), id);
      mustSucceed(answer, `for ${admin.name}, a declared admin of the owner ${owner}`);
      mustKeep(accountRecord, answer, answer);
    }
  }),

  check('billing.types', async (api) => {
    for (const { answer } of await givenAccounts(api)) mustKeep(accountTypes, answer, answer);
  }),

  check(
    'billing.types',
    async (api) => {
      const { atLast } = await givenAttachment(api);
      if (!isSuccess(atLast)) throw new Blocked(`the billing account could not be read: ${summary(atLast)}`);
      const actual = atLast.problem ?? describe(at(atLast.json, 'data'));
      must(mustKeep(accountTypes, atLast, atLast), 'data, an object', actual, atLast);
    },
    { variant: 'after-attach', phase: 'deletions', uses: ['attachments'], extended: true },
  ),

  check('billing.owner', async (api) => {
    const accounts = (await givenAccounts(api)).map(({ account, answer }) => ({
      account,
      answer,
      owner: ownerIn(answer),
    }));
    const named = accounts.filter(({ owner }) => owner !== undefined);
    if (named.length === 0) throw new Blocked('no billing account shows its ownerOrganizationId');
    for (const { account, answer, owner } of named) mustBeOwner(account, owner, answer);
  }),

  check(
    'billing.owner',
    async (api) => {
      const { attachable, atLast } = await givenAttachment(api);
      const owner = ownerIn(atLast);
      if (owner === undefined) throw new Blocked('the billing account shows no ownerOrganizationId');
      mustBeOwner({ id: attachable.billingAccountId, owner: attachable.owner }, owner, atLast);
    },
    { variant: 'after-attach', phase: 'deletions', uses: ['attachments'] },
  ),

  check('billing.unknown', async (api) => {
    const [{ account }] = await givenAccounts(api);
    for (const id of unknownIds(api, account.id)) {
      const answer = await api.getBillingAccount(as(account.admin), id);
      mustNotSucceed(answer, `for ${describe(id)}, which does not exist`);
    }
  }),
];

function givenReadable(api: Api): readonly [Readable, ...Readable[]] {
  const { billingAccounts } = api.session.target;
  const [first, ...more] = billingAccounts.flatMap((account) => {
    const admin = adminOf(api, account.owner);
    return admin === undefined ? [] : [{ ...account, admin }];
  });
  if (first !== undefined) return [first, ...more];
  throw new Blocked(
    billingAccounts.length === 0
      ? 'no billing account is declared: declare billingAccounts.<id>.owner'
      : 'no principal is adminOf the owner of a billing account',
  );
}

type Read = { readonly account: Readable; readonly answer: Answer };

/** Every account that can be read. Blocked where one is refused or has no data: billing.record judges that. */
async function givenAccounts(api: Api): Promise<readonly [Read, ...Read[]]> {
  const [first, ...more] = givenReadable(api);
  const rest = [];
  const read = async (account: Readable): Promise<Read> => {
    const answer = await api.getBillingAccount(as(account.admin), account.id);
    const data = at(answer.json, 'data');
    if (isSuccess(answer) && typeof data === 'object' && data !== null) return { account, answer };
    throw new Blocked(`billing account ${account.id} could not be read: ${answer.problem ?? summary(answer)}`);
  };
  const begun = await read(first);
  for (const account of more) rest.push(await read(account));
  return [begun, ...rest];
}

function ownerIn(answer: Answer): unknown {
  return at(answer.json, 'data', 'ownerOrganizationId') ?? undefined;
}

function mustBeOwner({ id, owner }: Pick<BillingAccount, 'id' | 'owner'>, shown: unknown, answer: Answer): void {
  const expected = `ownerOrganizationId ${describe(owner)}, as declared in billingAccounts.<id>.owner for ${id}`;
  must(shown === owner, expected, describe(shown), answer);
}
