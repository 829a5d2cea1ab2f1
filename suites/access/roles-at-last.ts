import { mustNotSucceed } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Principal } from '../../core/target.ts';
import { type Attachment, givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { givenDeniedBeforeRace } from '../../stage/deletion/deletion-race.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { requestPage } from '../../stage/lists/pages.ts';

/** A principal, and an organization of which it is no admin. */
type Stranger = { readonly principal: Principal; readonly organizationId: string };

/** Admins of the owner who are tried: the one who attached, and another one. */
const mostOfOwner = 2;

/** Section 5, point 3: nothing that this run did gave a principal a role. */
export const rolesAtLast: readonly Check[] = [
  // The other checks after an attachment read what is attached, and the owner.
  check(
    'access.denied',
    { on: 'listDataSources', phase: 'last', uses: ['attachments'], variant: 'attached-at-last', extended: true },
    async (api) => {
      const strangers = strangersTo(api, await givenAcceptedAttachment(api));
      if (strangers.length === 0)
        throw new Blocked('needs a principal that is not adminOf an organization of another one');
      for (const { principal, organizationId } of strangers) {
        const answer = await requestPage(api, 'listDataSources', as(principal), organizationId, { limit: 1 });
        const what = `listing the data sources of ${organizationId} after attachments`;
        mustNotSucceed(answer, `for ${principal.name}, not a declared admin, ${what}`);
      }
    },
  ),

  check(
    'access.denied',
    { on: 'deleteDataSource', phase: 'last', uses: ['deletions'], variant: 'at-last', extended: true },
    async (api) => {
      const { disposables, denied } = await givenDeniedBeforeRace(api);
      const [{ organizationId }] = disposables;
      if (denied === undefined) throw new Blocked(`declare a principal that is not adminOf ${organizationId}`);
      const what = `deleting a data source of ${organizationId} after other changes`;
      mustNotSucceed(denied.answer, `for ${denied.stranger.name}, not a declared admin, ${what}`);
    },
  ),
];

/**
 * Principals to whom an attachment may have given a role: admins of the owner and one of what is attached alone, each for an organization that it does not concern;
 * and a principal without any role, for what is attached, because a paid organization may be open to its members.
 */
function strangersTo(api: Api, { attachable, attached }: Attachment): readonly Stranger[] {
  const { owner } = attachable;
  const { principals, organizations } = api.session.target;
  const joined = new Set(usedUp(api.session).attachments.map(({ organizationId }) => organizationId));
  const unconcerned = organizations
    .map(({ id }) => id)
    .filter((id) => id !== owner && !joined.has(id) && adminOf(api, id) !== undefined);
  const attachers = new Set(attached.map(({ first }) => first.exchange.caller));
  const ofOwner = principals
    .filter(({ adminOf }) => adminOf.includes(owner))
    .toSorted((one, other) => Number(attachers.has(other.name)) - Number(attachers.has(one.name)));
  const ofJoined = principals.filter(
    ({ adminOf }) => !adminOf.includes(owner) && adminOf.some((organizationId) => joined.has(organizationId)),
  );
  const ofNone = principals.filter(({ adminOf }) => adminOf.length === 0);
  return [
    ...amongThese(ofOwner, unconcerned).slice(0, mostOfOwner),
    ...amongThese(ofJoined, unconcerned.toReversed()).slice(0, 1),
    ...amongThese(ofNone, [...joined]).slice(0, 1),
  ];
}

/** Each of the principals with an organization of which it is no admin, and if possible with one that no other has. */
function amongThese(principals: readonly Principal[], organizationIds: readonly string[]): readonly Stranger[] {
  const used = new Set<string>();
  return principals.flatMap((principal) => {
    const foreign = organizationIds.filter((id) => !principal.adminOf.includes(id));
    const organizationId = foreign.find((id) => !used.has(id)) ?? foreign[0];
    if (organizationId === undefined) return [];
    used.add(organizationId);
    return [{ principal, organizationId }];
  });
}
