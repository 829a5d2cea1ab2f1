import { mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { givenAttachable } from '../../stage/attachment/attachables.ts';
import { givenAcceptedAttachment, givenAttachment } from '../../stage/attachment/attachment.ts';
import { attachedBefore } from '../../engine/session/attached-before.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustNotCount } from '../shared/left-alone.ts';
import { observeUnknown } from './observe-unknown.ts';

/** Which of the two roles a principal has. */
type Roles = { readonly organization: boolean; readonly owner: boolean };

type Attempt = { readonly principal: Principal; readonly billingAccountId: string; readonly organizationId: string };

/** Attempts of one kind. */
const maxAttempts = 3;

const on = { phase: 'deletions', uses: ['attachments'] } as const;

/** Section 4.3: attaching needs both roles, so that each lesser combination is refused and counts nothing. */
export const accessAttachment: readonly Check[] = [
  // First, because only an organization that is not attached yet can show that it was counted.
  check(
    'access.denied-no-effect',
    async (api) => {
      const attachable = givenAttachable(api);
      const { billingAccountId, organizationId, owner } = attachable;
      const lacking = api.session.target.principals.filter(
        ({ adminOf }) => !adminOf.includes(organizationId) || !adminOf.includes(owner),
      );
      if (lacking.length === 0) throw new Blocked('needs a principal that lacks one of the two roles');
      await mustNotCount(api, attachable, async () => {
        const answers: Answer[] = [];
        for (const principal of lacking.slice(0, 2 * maxAttempts)) {
          answers.push(await api.attachOrganization(as(principal), billingAccountId, { organizationId }));
        }
        return answers;
      });
    },
    { ...on, on: 'attachOrganization' },
  ),

  check(
    'access.attach-needs-organization-admin',
    (api) => mustRefuse(api, { organization: false, owner: true }, 'admin of the owner alone'),
    on,
  ),
  check(
    'access.attach-needs-owner-admin',
    (api) => mustRefuse(api, { organization: true, owner: false }, 'admin of the attached organization alone'),
    on,
  ),
  check(
    'access.attach-needs-a-role',
    (api) => mustRefuse(api, { organization: false, owner: false }, 'admin of neither'),
    on,
  ),

  // Reading is for the owner's admins, however many organizations are billed through the account.
  check(
    'access.denied',
    async (api) => {
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
    },
    { ...on, on: 'getBillingAccount', variant: 'attached', extended: true },
  ),

  // Attaching an organization removes no role in it.
  check(
    'access.granted',
    async (api) => {
      const { attachable, attached } = await givenAcceptedAttachment(api);
      const { admin } = attachable;
      for (const { organizationId, first } of attached) {
        if (!isSuccess(first)) continue;
        const answer = await api.listModels(as(admin), organizationId, { limit: 1 });
        mustSucceed(answer, `for ${admin.name}, a declared admin, reading ${organizationId}, which is now attached`);
      }
    },
    { ...on, on: 'listModels', variant: 'attached', extended: true },
  ),

  check(
    'access.granted',
    async (api) => {
      const { attachable, attached } = await givenAttachment(api);
      const [{ first, maybeBefore }] = attached;
      if (maybeBefore && !isSuccess(first)) throw new Blocked(attachedBefore);
      mustSucceed(
        first,
        `for ${attachable.admin.name}, a declared admin of both, attaching an organization that is not attached yet`,
      );
      await observeUnknown(api, 'attachOrganization');
    },
    { ...on, on: 'attachOrganization' },
  ),
];

async function mustRefuse(api: Api, roles: Roles, who: string): Promise<void> {
  for (const { principal, billingAccountId, organizationId } of givenAttempts(api, roles)) {
    const answer = await api.attachOrganization(as(principal), billingAccountId, { organizationId });
    api.session.observe('access.denied-status', `attachOrganization: ${summary(answer)}`, answer.exchange);
    mustNotSucceed(answer, `for ${principal.name}, ${who}, attaching ${organizationId}`);
  }
  const { attachable, attached } = await givenAcceptedAttachment(api);
  const { billingAccountId, owner } = attachable;
  // An organization that is already attached may be answered before the roles are checked.
  for (const { organizationId } of attached) {
    const principal = api.session.target.principals.find(
      ({ adminOf }) =>
        adminOf.includes(organizationId) === roles.organization && adminOf.includes(owner) === roles.owner,
    );
    if (principal === undefined) continue;
    const answer = await api.attachOrganization(as(principal), billingAccountId, { organizationId });
    mustNotSucceed(answer, `for ${principal.name}, ${who}, attaching ${organizationId}, which is attached already`);
  }
}

/** Principals with exactly these roles, and what they may not attach. Blocked with the missing declaration if there is none. */
function givenAttempts({ session }: Api, roles: Roles): readonly Attempt[] {
  const { billingAccounts, principals } = session.target;
  const attempts = billingAccounts.flatMap(({ id, owner, attachable }) =>
    attachable.toReversed().flatMap((organizationId) =>
      principals
        .filter(({ adminOf }) => adminOf.includes(organizationId) === roles.organization)
        .filter(({ adminOf }) => adminOf.includes(owner) === roles.owner)
        .map((principal) => ({ principal, billingAccountId: id, organizationId })),
    ),
  );
  if (attempts.length > 0) return attempts.slice(0, maxAttempts);
  const account = billingAccounts.find(({ attachable }) => attachable.length > 0);
  if (account === undefined) {
    throw new Blocked('no organization may be attached: declare billingAccounts.<id>.attachable');
  }
  const role = (has: boolean, organizationId = ''): string => `${has ? '' : 'not '}adminOf ${organizationId}`;
  throw new Blocked(
    `declare a principal that is ${role(roles.owner, account.owner)} and ${role(roles.organization, account.attachable[0])}`,
  );
}
