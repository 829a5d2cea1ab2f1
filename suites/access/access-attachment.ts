import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { attachedTo, isTaken } from '../../stage/attachment/attachables.ts';
import { attachWhereTwoMay, givenAcceptedAttachment, givenAttachment } from '../../stage/attachment/attachment.ts';
import { countIn, countWhen, readUpToDate } from '../../stage/attachment/counts.ts';
import type { Attachable } from '../../core/attachables.ts';
import { adminsOf } from '../../stage/lists/lists.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustNotCount } from '../shared/count-untouched.ts';
import { givenWatchedAccount } from '../shared/watched-account.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import {
  deniedTo,
  givenDenied,
  givenDeniedAgain,
  has,
  type LesserRoles,
  lesserRoles,
  maxAttempts,
} from './denied-attachments.ts';
import { mustStayApart } from './apart.ts';
import { observeUnknown } from './observe-unknown.ts';

const on = { phase: 'attachments', uses: ['attachments'] } as const;

/** Section 4.3: attaching needs both roles, so that each lesser combination is refused and counts nothing. */
export const accessAttachment: readonly Check[] = [
  // First, because only an organization that is not attached yet can show that it was counted.
  check('access.denied-no-effect', { ...on, on: 'attachOrganization' }, async (api) => {
    const { attachables, intrusion } = await givenDenied(api);
    await mustNotCount(api, attachables, intrusion);
  }),

  // A denied attachment may leave a mark without being counted, and then the organization cannot be attached any more.
  check(
    'access.denied-no-effect',
    { ...on, on: 'attachOrganization', variant: 'then-granted', extended: true },
    async (api) => {
      const { attempts } = await givenDenied(api);
      const { attachable, attached } = await givenAcceptedAttachment(api);
      const ids = new Set(attempts.map(({ organizationId }) => organizationId));
      const joined = attached.find(({ organizationId }) => ids.has(organizationId));
      if (joined === undefined) throw new Blocked('no organization was attached after an attachment of it was denied');
      const { organizationId, unproven, first, countBefore, countAfter } = joined;
      if (unproven !== undefined) throw new Blocked(unproven);
      if (countBefore === undefined) throw new Blocked('the billing account shows no organizationCount');
      const refused = attempts.filter((one) => one.organizationId === organizationId).map(({ answer }) => answer);
      const later = `${organizationId} attached after attachments of it were denied`;
      must(isSuccess(first), later, summary(first), ...refused, first);
      const isPlain = countAfter === countBefore + 1;
      if (!isPlain) await givenStillCount(api, attachable.billingAccountId);
      must(isPlain, `organizationCount ${countBefore + 1} with ${later}`, `${countAfter}`, ...refused, first);
    },
  ),

  // A denied attachment may be queued before the role is checked.
  check(
    'access.denied-no-effect',
    { phase: 'last', uses: ['attachments'], on: 'attachOrganization', variant: 'at-last', extended: true },
    async (api) => {
      const { attachables, attempts, elsewhere, intrusion, earlier } = await givenDenied(api);
      const [{ billingAccountId }] = attachables;
      // If this check runs alone, it attaches organizations only now.
      const { attachable, attached } = await givenAcceptedAttachment(api);
      const known = attachedTo(api, billingAccountId, 'perhaps');
      const still = attempts.filter(
        ({ organizationId }) => !known.has(organizationId) && !isTaken(api, organizationId),
      );
      if (still.length === 0)
        throw new Blocked(
          'this run attached every organization whose attachment was denied: declare more under billingAccounts.<id>.attachable',
        );
      if (attachable.billingAccountId !== billingAccountId)
        throw new Blocked(`this run attached organizations to another billing account than ${billingAccountId}`);
      const isPlain = attached.every(({ countBefore = 0, countAfter, countAfterSecond }) => {
        return countAfter === countBefore + 1 && countAfterSecond === countAfter;
      });
      if (!isPlain)
        throw new Blocked('the count of accepted attachments is wrong: attach.count and attach.twice judge that');
      const most = intrusion.before + [...known].filter((id) => !earlier.has(id)).length;
      const refused = still.map(({ answer }) => answer);
      const answers = await givenWatchedAccount(api);
      const counts = answers.flatMap((answer) => countIn(answer) ?? []);
      if (counts.length === 0) throw new Blocked('the billing account shows no organizationCount at the end');
      const least = Math.min(...counts);
      const unattached = new Set(
        [...attempts, ...elsewhere].flatMap(({ organizationId: id }) => (known.has(id) || earlier.has(id) ? [] : [id])),
      );
      if (least > most + unattached.size)
        throw new Blocked(
          `organizationCount rose by ${least - most} more than this run attached, which denied attachments of ${unattached.size} organizations cannot explain: another client attached some`,
        );
      if (least > most) {
        await givenStillCount(api, billingAccountId);
        const ids = new Set(still.map(({ organizationId }) => organizationId));
        const deniedOnes = attachables.filter(
          (one) => one.billingAccountId === billingAccountId && ids.has(one.organizationId),
        );
        if (await areNew(api, deniedOnes))
          throw new Blocked(
            `organizationCount rose by ${least - most} more than this run attached, and what was denied counts when it is attached now: another client attached others`,
          );
      }
      must(
        least <= most,
        `organizationCount at most ${most} at the end, after denied attachments`,
        `${least}`,
        ...refused,
        ...answers,
      );
    },
  ),

  check('access.attach-needs-organization-admin', on, (api) => mustRefuse(api, 'owner')),
  check('access.attach-needs-owner-admin', on, (api) => mustRefuse(api, 'organization')),
  check('access.attach-needs-a-role', on, (api) => mustRefuse(api, 'none')),

  // A denied attachment may roll back more than itself.
  check(
    'access.denied-no-effect',
    { ...on, on: 'attachOrganization', variant: 'attached', extended: true },
    async (api) => {
      const { attempts, attachable, countBefore, count } = await givenDeniedAgain(api);
      if (attempts.length === 0) throw new Blocked('needs a principal that lacks one of the two roles');
      if (countBefore === undefined || count === undefined)
        throw new Blocked('the billing account shows no organizationCount');
      if (count < countBefore) await givenStillCount(api, attachable.billingAccountId);
      const expected = `organizationCount at least ${countBefore} after what is attached was denied to others`;
      must(count >= countBefore, expected, `${count}`, ...attempts.map(({ answer }) => answer));
    },
  ),

  // Reading is for the owner's admins, however many organizations are billed through the account.
  check('access.denied', { ...on, on: 'getBillingAccount', variant: 'attached', extended: true }, async (api) => {
    const { attachable, attached } = await givenAcceptedAttachment(api);
    const { billingAccountId, owner } = attachable;
    const joined = attached.filter(({ first }) => isSuccess(first)).map(({ organizationId }) => organizationId);
    const members = api.session.target.principals.filter(
      ({ adminOf }) => !adminOf.includes(owner) && adminOf.some((id) => joined.includes(id)),
    );
    if (members.length === 0) {
      throw new Blocked(
        `declare a principal that is not adminOf ${owner} and adminOf ${joined[0] ?? 'what is attached'}`,
      );
    }
    for (const principal of members.slice(0, maxAttempts)) {
      const answer = await api.getBillingAccount(as(principal), billingAccountId);
      mustNotSucceed(
        answer,
        `for ${principal.name}, admin of an attached organization alone, reading ${billingAccountId}`,
      );
    }
  }),

  // The owner pays for an attached organization, and neither reads anything of the other.
  check(
    'access.models-404',
    {
      ...on,
      on: 'listModels',
      variant: 'attached',
      extended: true,
    },
    (api) => mustStayApart(api, 'listModels'),
  ),
  check(
    'access.denied',
    {
      ...on,
      on: 'listDataSources',
      variant: 'attached',
      extended: true,
    },
    (api) => mustStayApart(api, 'listDataSources'),
  ),

  check('access.granted', { ...on, on: 'getBillingAccount', variant: 'attached', extended: true }, async (api) => {
    const { billingAccountId, owner } = (await givenAcceptedAttachment(api)).attachable;
    for (const principal of api.session.target.principals.filter(({ adminOf }) => adminOf.includes(owner))) {
      const answer = await api.getBillingAccount(as(principal), billingAccountId);
      mustSucceed(answer, `for ${principal.name}, a declared admin of the owner, after an attachment`);
    }
  }),

  // Attaching an organization removes no role in it.
  check('access.granted', { ...on, on: 'listModels', variant: 'attached', extended: true }, async (api) => {
    const { attachable, attached } = await givenAcceptedAttachment(api);
    const accepted = attached.filter(({ first }) => isSuccess(first));
    for (const [index, { organizationId, first }] of accepted.entries()) {
      // An admin who had no part in it, if there is one. For one organization also the admin who attached it.
      const other = adminsOf(api, organizationId).findLast(({ name }) => name !== first.exchange.caller);
      const readers = new Set([other ?? attachable.admin, ...(index === 0 ? [attachable.admin] : [])]);
      for (const admin of readers) {
        const answer = await api.listModels(as(admin), organizationId, { limit: 1 });
        mustSucceed(answer, `for ${admin.name}, a declared admin, reading ${organizationId}, which is now attached`);
      }
    }
  }),

  check('access.granted', { ...on, on: 'attachOrganization' }, async (api) => {
    const { attachable, attached } = await givenAttachment(api);
    const [{ first, unproven }] = attached;
    const another = await attachWhereTwoMay(api);
    const proven = another !== undefined && isSuccess(another.first) ? [another] : [];
    for (const { denied, organizationId } of [...(unproven === undefined ? attached : []), ...proven]) {
      if (denied === undefined) continue;
      mustSucceed(denied.answer, `for ${denied.admin.name}, a declared admin of both, attaching ${organizationId}`);
    }
    if (unproven !== undefined && !isSuccess(first)) throw new Blocked(unproven);
    mustSucceed(
      first,
      `for ${attachable.admin.name}, a declared admin of both, attaching an organization that is not attached yet`,
    );
    await observeUnknown(api, 'attachOrganization');
  }),
];

/** Whether each of these organizations counts when it is attached now: then no denied attachment has attached it. */
async function areNew(api: Api, attachables: readonly Attachable[]): Promise<boolean> {
  for (const attachable of attachables) {
    const { admin, billingAccountId, organizationId } = attachable;
    const before = countIn(await readUpToDate(api, attachable));
    if (before === undefined) return false;
    const answer = await api.attachOrganization(as(admin), billingAccountId, { organizationId });
    if (!isSuccess(answer) || (await countWhen(api, attachable, before + 1)) !== before + 1) return false;
  }
  return attachables.length > 0;
}

async function mustRefuse(api: Api, kind: LesserRoles): Promise<void> {
  const roles = lesserRoles[kind];
  for (const { principal, organizationId, billingAccountId, answer } of await deniedTo(api, roles)) {
    api.session.observe('access.denied-status', `attachOrganization: ${summary(answer)}`, answer.exchange);
    mustNotSucceed(answer, `for ${principal.name}, ${roles.who}, attaching ${organizationId} to ${billingAccountId}`);
  }
  const { attempts } = await givenDeniedAgain(api);
  for (const { principal, organizationId, owner, answer, after } of attempts) {
    if (!has(principal, roles, organizationId, owner)) continue;
    mustNotSucceed(answer, `for ${principal.name}, ${roles.who}, attaching ${organizationId}, ${after}`);
  }
}
