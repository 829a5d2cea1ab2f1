import type { Item } from '../../data/item.ts';
import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { alsoAllowed, carriedOut, deniedTo, losingModels, refusedWith } from '../shared/alterations.ts';
import { hasCursor, isFiltered, on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

function isAdminSomewhere({ caller }: Request): boolean {
  return (caller?.adminOf.size ?? 0) > 0;
}

/** The items of another organization, where the cursor is one of them. */
function crossing(own: readonly Item[], { query }: Request, foreign: () => readonly Item[]): readonly Item[] {
  const cursor = query.get('cursor')?.[0];
  const others = cursor === undefined ? [] : foreign();
  return others.some(({ id }) => id === cursor) ? others : own;
}

/** A filter by a data source of another organization is accepted, and finds its models. */
const crossingFilter: Fault['alter'] = (rules) => ({
  filterKnown: (where, request) => where === 'elsewhere' || rules.filterKnown(where, request),
  models: (own, request, foreign) => (isFiltered(request) ? [...own, ...foreign()] : own),
});

export const accessFaults: readonly Fault[] = [
  {
    name: 'admin-of-first-only',
    breaks: 'access.granted',
    sentence: 'Only the first organization of a key is loaded.',
    alter: () => ({ isAdmin: (caller, organizationId) => first(caller?.adminOf ?? []) === organizationId }),
  },
  {
    name: 'owner-alone-locked-out',
    breaks: 'access.granted',
    sentence: 'An admin of only the owner organization cannot read its billing account.',
    alter: deniedTo('getBillingAccount', ({ caller }) => caller?.adminOf.size === 1),
  },
  {
    name: 'deletion-for-nobody',
    breaks: 'access.granted',
    sentence: 'A deletion needs a permission that no key can have.',
    alter: deniedTo('deleteDataSource'),
  },
  {
    name: 'second-message-denied',
    breaks: 'access.granted',
    sentence: "A message hands its chat over to the assistant, so the same caller's next message is denied.",
    idle: { assistant: ['minutes'] },
    alter: (rules) => {
      const senders = new Set<string>();
      return deniedTo('sendMessage', ({ caller, ids }) => {
        const sender = `${caller?.name} ${ids.chatId}`;
        const isSecond = senders.has(sender);
        senders.add(sender);
        return isSecond;
      })(rules);
    },
  },
  {
    name: 'denied-models-403',
    breaks: 'access.models-404',
    sentence: 'Listing models without the role is answered 403, which discloses that the organization exists.',
    alter: refusedWith(403, 'denied', on('listModels')),
  },
  {
    name: 'models-for-every-admin',
    breaks: 'access.models-404',
    sentence: 'An admin of any organization may list the models of every organization.',
    alter: alsoAllowed('listModels', isAdminSomewhere),
  },
  {
    name: 'no-role-at-all-403',
    breaks: 'access.models-404',
    sentence: 'Listing models is answered 403 for a key without any role, and 404 for other keys without access.',
    alter: refusedWith(403, 'denied', (request) => on('listModels')(request) && request.caller?.adminOf.size === 0),
  },
  {
    name: 'sources-for-everybody',
    breaks: 'access.denied',
    sentence: 'Any valid key may list data sources.',
    alter: alsoAllowed('listDataSources', () => true),
  },
  {
    name: 'deletion-for-everybody',
    breaks: 'access.denied',
    sentence: 'Any valid key may delete a data source.',
    alter: alsoAllowed('deleteDataSource', () => true),
  },
  {
    name: 'account-for-every-admin',
    breaks: 'access.denied',
    sentence: 'An admin of any organization may read every billing account.',
    alter: alsoAllowed('getBillingAccount', isAdminSomewhere),
  },
  {
    name: 'account-for-the-billed',
    breaks: 'access.denied',
    sentence: 'The admins of every billed organization may read the billing account.',
    alter: (rules) => {
      const attached = new Set<string>();
      return {
        onAttached: (id) => void attached.add(id),
        ...alsoAllowed('getBillingAccount', ({ caller }) => attached.values().some((id) => caller?.adminOf.has(id)))(
          rules,
        ),
      };
    },
  },
  {
    name: 'attach-asks-owner-alone',
    breaks: 'access.attach-needs-organization-admin',
    sentence: 'Attaching requires only the role in the owner organization.',
    alter: alsoAllowed('attachOrganization', (_request, { owner }) => owner),
  },
  {
    name: 'attach-one-role-will-do',
    breaks: 'access.attach-needs-organization-admin',
    sentence: 'Attaching requires either of the two roles: || instead of &&.',
    alter: alsoAllowed('attachOrganization', (_request, { organization, owner }) => organization || owner),
  },
  {
    name: 'attach-asks-organization-alone',
    breaks: 'access.attach-needs-owner-admin',
    sentence: 'Attaching requires only the role in the attached organization.',
    alter: alsoAllowed('attachOrganization', (_request, { organization }) => organization),
  },
  {
    name: 'attach-denied-200',
    breaks: 'access.attach-needs-owner-admin',
    sentence: 'A denied attachment is answered 200 with an error in the body.',
    alter: refusedWith(200, 'denied', on('attachOrganization')),
  },
  {
    name: 'attach-for-everybody',
    breaks: 'access.attach-needs-a-role',
    sentence: 'Any valid key may attach an organization.',
    alter: alsoAllowed('attachOrganization', () => true),
  },
  {
    name: 'attach-roles-compared',
    breaks: 'access.attach-needs-a-role',
    sentence: 'The two roles are compared with each other, so a caller with neither may attach.',
    alter: alsoAllowed('attachOrganization', (_request, { organization, owner }) => organization === owner),
  },
  {
    name: 'denied-deletion-happens',
    breaks: 'access.denied-no-effect',
    sentence: 'A denied deletion is carried out, because the role is checked only when the answer is written.',
    alter: carriedOut('denied', on('deleteDataSource')),
  },
  {
    name: 'denied-deletion-cascades',
    breaks: 'access.denied-no-effect',
    sentence: 'A deletion removes the models before it checks the role of the caller.',
    alter: losingModels('denied'),
  },
  {
    name: 'denied-attachment-happens',
    breaks: 'access.denied-no-effect',
    sentence: 'A denied attachment is counted, because the transaction is not rolled back.',
    // A copy that lags shows it only when the next one is refused: attach.refused-no-effect.
    idle: { 'count-copies': ['one-a-moment-later', 'one-later'] },
    alter: carriedOut('denied', on('attachOrganization')),
  },
  {
    name: 'path-organization-ignored',
    breaks: 'access.foreign-path',
    sentence: 'A resource is loaded by the last ID of the path alone.',
    alter: () => ({ belongsToPath: () => true }),
  },
  {
    name: 'deletion-through-any-organization',
    breaks: 'access.foreign-path',
    sentence: 'A deletion finds the data source by its ID alone and ignores the organization in the path.',
    alter: (rules) => ({
      belongsToPath: (owner, inPath, request) =>
        on('deleteDataSource')(request) || rules.belongsToPath(owner, inPath, request),
    }),
  },
  {
    name: 'chat-through-any-organization',
    breaks: 'access.foreign-path',
    sentence: 'A chat is found by its ID alone, and the organization in the path is ignored.',
    alter: (rules) => ({
      belongsToPath: (owner, inPath, request) =>
        on('sendMessage')(request) || rules.belongsToPath(owner, inPath, request),
    }),
  },
  {
    name: 'filter-crosses-organizations',
    breaks: 'access.foreign-filter',
    sentence: 'A filtered list of models looks only at the data source, not at the organization.',
    alter: crossingFilter,
  },
  {
    name: 'filter-joins-foreign-models',
    breaks: 'access.foreign-filter',
    sentence: "The filter returns another organization's models with the organizationId of the path.",
    alter: (rules) => ({
      ...crossingFilter(rules),
      modelShown: (shown, { ids: { organizationId } }) =>
        shown['organizationId'] === organizationId ? shown : { ...shown, organizationId },
    }),
  },
  {
    name: 'cursor-crosses-organizations',
    breaks: 'access.foreign-cursor',
    sentence: 'The cursor decides whose models are listed, even those of another organization.',
    alter: () => ({ models: crossing }),
  },
  {
    name: 'source-cursor-crosses-organizations',
    breaks: 'access.foreign-cursor',
    sentence: "A cursor from another organization continues in that organization's list of data sources.",
    alter: () => ({ sources: crossing }),
  },
  {
    name: 'denial-names-the-hidden',
    breaks: 'access.no-disclosure',
    sentence: 'A denial names what it hides: "You may not use Warehouse 1."',
    alter: () => ({
      error: (error, _request, kind, hidden) =>
        kind === 'denied' ? { ...error, detail: `You may not use ${hidden()}.` } : error,
    }),
  },
  {
    name: 'later-models-for-everybody',
    breaks: 'access.models-404',
    sentence: 'The role is checked only for the first page of models, not for a request with a cursor.',
    alter: alsoAllowed('listModels', hasCursor),
  },
  {
    name: 'filtered-models-for-everybody',
    breaks: 'access.models-404',
    sentence: 'Filtered lists of models use a query of their own, which does not check the role.',
    alter: alsoAllowed('listModels', isFiltered),
  },
  {
    name: 'later-sources-for-everybody',
    breaks: 'access.denied',
    sentence: 'The role is checked only for the first page of data sources, not for a request with a cursor.',
    alter: alsoAllowed('listDataSources', hasCursor),
  },
];
