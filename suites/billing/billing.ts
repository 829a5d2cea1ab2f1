import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { givenAttachment } from '../../stage/attachment/attachment.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { at } from '../../core/json.ts';
import { mistyped } from '../../stage/existence.ts';
import { adminsOf } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { BillingAccount, Principal } from '../../core/target.ts';
import { describe } from '../../core/text.ts';
import { nearlyId, resemblingIds } from '../../stage/lists/unknown-id.ts';
import { Blocked } from '../../engine/verdict.ts';
import {
  accountCreatedOnce,
  accountPeriodInOrder,
  accountRecord,
  accountTypes,
  accountWholeCount,
} from '../../promises/billing.ts';
import { givenGranted } from '../access/access-matrix.ts';
import { aboutNothing } from '../access/disclosure.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { sameAccount } from './same-account.ts';

/** A declared billing account with an admin of its owner. */
type Readable = BillingAccount & { readonly admin: Principal };

/** Sections 2.6 and 4.4. */
export const billing: readonly Check[] = [
  check('billing.record', async (api) => {
    const accounts = givenCandidates(api).flatMap(({ account, admins }) =>
      admins.slice(0, 1).map((admin) => ({ ...account, admin })),
    );
    const doubts = new Set<string>();
    const answers = [];
    for (const account of accounts) answers.push({ account, answer: await reading(api, account) });
    answers.push(...(await readAgain(api, accounts)));
    for (const { account, answer } of answers) {
      const { id, admin, owner } = account;
      const doubt = await mistyped(api, { kind: 'account', id, ownerId: owner }, admin, answer);
      if (doubt !== undefined) {
        doubts.add(doubt);
        continue;
      }
      mustSucceed(answer, `for ${admin.name}, a declared admin of the owner ${owner}`);
      mustKeep(accountRecord, answer, answer);
    }
    if (doubts.size > 0) throw new Blocked([...doubts].join('; '));
  }),

  check('billing.types', async (api) => {
    for (const { answer } of await givenAccounts(api)) mustKeep(accountTypes, answer, answer);
    // What an account shows may depend on its reader.
    for (const { answer } of await givenGranted(api, 'getBillingAccount')) mustKeep(accountTypes, answer, answer);
  }),

  check(
    'billing.types',
    { variant: 'after-attach', phase: 'attachments', uses: ['attachments'], extended: true },
    async (api) => {
      const { atLast } = await givenAttachment(api);
      if (!isSuccess(atLast)) throw new Blocked(`the billing account could not be read: ${summary(atLast)}`);
      const actual = atLast.problem ?? describe(at(atLast.json, 'data'));
      must(mustKeep(accountTypes, atLast, atLast), 'data, an object', actual, atLast);
    },
  ),

  check('billing.whole-count', async (api) => {
    const read = await givenAccounts(api);
    const counted = read.filter(({ answer }) => mustKeep(accountWholeCount, answer, answer));
    if (counted.length === 0) throw new Blocked('no billing account shows an organizationCount that is a number');
  }),

  check('billing.period-in-order', async (api) => {
    const read = await givenAccounts(api);
    const shown = read.filter(({ answer }) => mustKeep(accountPeriodInOrder, answer, answer));
    if (shown.length === 0) throw new Blocked('no billing account shows a billing period whose instants are clear');
  }),

  // Later, so that time has passed and an attachment was made since the first reading, and no outage yet.
  check('billing.created-once', { phase: 'later' }, async (api) => {
    const read = await givenAccounts(api);
    const byOthers = await givenGranted(api, 'getBillingAccount');
    const answers = [...read, ...byOthers].map(({ answer }) => answer);
    const [{ account }] = read;
    answers.push(await api.getBillingAccount(as(account.admin), account.id));
    if (mustKeep(accountCreatedOnce, answers.filter(isSuccess))) return;
    throw new Blocked(
      'no billing account shows a createdAt that is the same in two answers, or whose instant is clear',
    );
  }),

  sameAccount,

  check('billing.owner', async (api) => {
    const read = (await givenAccounts(api)).map(({ account, answer }) => ({ account, answer }));
    const byOthers = (await givenGranted(api, 'getBillingAccount')).map(({ resource, organizationId, answer }) => ({
      account: { id: resource, owner: organizationId },
      answer,
    }));
    const named = [...read, ...byOthers].filter(({ answer }) => isSuccess(answer) && ownerIn(answer) !== undefined);
    if (named.length === 0) throw new Blocked('no billing account shows its ownerOrganizationId');
    for (const { account, answer } of named) mustBeOwner(account, ownerIn(answer), answer);
  }),

  check('billing.owner', { variant: 'after-attach', phase: 'attachments', uses: ['attachments'] }, async (api) => {
    const { attachable, atLast } = await givenAttachment(api);
    const owner = ownerIn(atLast);
    if (owner === undefined) throw new Blocked('the billing account shows no ownerOrganizationId');
    mustBeOwner({ id: attachable.billingAccountId, owner: attachable.owner }, owner, atLast);
  }),

  check('billing.unknown', async (api) => {
    const [{ account }] = await givenAccounts(api);
    const declared = api.session.target.billingAccounts.map(({ id }) => id);
    mustNotSucceed(await aboutNothing(api, 'getBillingAccount'), 'for an account that does not exist');
    for (const id of resemblingIds(account.id, declared)) {
      const answer = await api.getBillingAccount(as(account.admin), id);
      mustNotSucceed(answer, `for ${describe(id)}, which does not exist`);
    }
    for (const id of [nearlyId(account.id), account.owner]) {
      if (id === undefined || declared.includes(id)) continue;
      const answer = await api.getBillingAccount(as(account.admin), id, { judged: false });
      const shown = at(answer.json, 'data', 'id');
      must(shown !== account.id, `for ${describe(id)}, another account or none`, describe(shown), answer);
    }
  }),
];

type Candidate = { readonly account: BillingAccount; readonly admins: readonly Principal[] };

function givenCandidates(api: Api): readonly [Candidate, ...Candidate[]] {
  const { billingAccounts } = api.session.target;
  const [first, ...more] = billingAccounts.flatMap((account) => {
    const admins = adminsOf(api, account.owner);
    return admins.length === 0 ? [] : [{ account, admins }];
  });
  if (first !== undefined) return [first, ...more];
  throw new Blocked(
    billingAccounts.length === 0
      ? 'no billing account is declared: declare billingAccounts.<id>.owner'
      : 'no principal is adminOf the owner of a billing account',
  );
}

/** The account as that admin reads it. The matrix of access holds most of these answers. */
async function reading(api: Api, { id, admin }: Readable): Promise<Answer> {
  const granted = await unlessBlocked(() => givenGranted(api, 'getBillingAccount'));
  const known = granted?.find(({ principal, resource }) => principal === admin && resource === id);
  return known?.answer ?? api.getBillingAccount(as(admin), id);
}

/**
 * The first account after the others, and another one at the same instant: what is shown must not depend on the account that was read
 * before it, or is read beside it.
 */
function readAgain(api: Api, accounts: readonly Readable[]): Promise<readonly Read[]> {
  const together = [...accounts.slice(0, 1), ...accounts.slice(1).slice(-1)];
  return eachAtOnce(together, async (account, gate) => {
    return { account, answer: await api.getBillingAccount(as(account.admin), account.id, { gate }) };
  });
}

type Read = { readonly account: Readable; readonly answer: Answer };

/** Every account that an admin of its owner can read, read once in a run. Blocked if there is none: billing.record judges that. */
const givenAccounts = shared(async (api: Api): Promise<readonly [Read, ...Read[]]> => {
  const read: Read[] = [];
  const refused: string[] = [];
  for (const { account, admins } of givenCandidates(api)) {
    for (const admin of admins) {
      const answer = await reading(api, { ...account, admin });
      const data = at(answer.json, 'data');
      const isRead = isSuccess(answer) && typeof data === 'object' && data !== null;
      if (isRead) read.push({ account: { ...account, admin }, answer });
      else refused.push(`${account.id} by ${admin.name}: ${answer.problem ?? summary(answer)}`);
      if (isRead) break;
    }
  }
  const [first, ...more] = read;
  if (first === undefined) throw new Blocked(`no billing account could be read: ${refused.join('; ')}`);
  return [first, ...more];
});

function ownerIn(answer: Answer): unknown {
  return at(answer.json, 'data', 'ownerOrganizationId') ?? undefined;
}

function mustBeOwner({ id, owner }: Pick<BillingAccount, 'id' | 'owner'>, shown: unknown, answer: Answer): void {
  const expected = `ownerOrganizationId ${describe(owner)}, as declared in billingAccounts.<id>.owner for ${id}`;
  must(shown === owner, expected, describe(shown), answer);
}
