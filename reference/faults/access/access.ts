import type { Fault } from '../../variation.ts';
import { losingModels } from '../shared/losing-models.ts';
import { first } from '../shared/first.ts';

export const accessFaults: readonly Fault[] = [
  {
    name: 'admin-of-first-only',
    breaks: 'access.granted',
    sentence: 'Of the organizations of a key only the first is loaded.',
    alter: () => ({ isAdmin: (caller, organizationId) => first(caller?.adminOf ?? []) === organizationId }),
  },
  {
    name: 'owner-alone-locked-out',
    breaks: 'access.granted',
    sentence: 'Whoever is admin of the owner organization alone cannot read its billing account.',
    alter: () => ({ mayReadAccount: (isOwnerAdmin, request) => isOwnerAdmin && request.caller?.adminOf.size !== 1 }),
  },
  {
    name: 'deletion-for-nobody',
    breaks: 'access.granted',
    sentence: 'Deleting takes a permission that a key cannot have.',
    alter: () => ({ mayDeleteSource: () => false }),
  },
  {
    name: 'second-message-denied',
    breaks: 'access.granted',
    sentence: 'Sending a message hands the chat over to the assistant: the next one of the same caller is denied.',
    idle: { assistant: ['minutes'] },
    alter: (rules) => {
      const senders = new Set<string>();
      return {
        maySendMessage: (isAdmin, request) => {
          const sender = `${request.caller?.name} ${request.ids.chatId}`;
          if (senders.has(sender)) return false;
          senders.add(sender);
          return rules.maySendMessage(isAdmin, request);
        },
      };
    },
  },
  {
    name: 'denied-models-403',
    breaks: 'access.models-404',
    sentence: 'Listing models without the role is answered 403, which tells that the organization exists.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'denied' && request.operation === 'listModels' ? 403 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'models-for-every-admin',
    breaks: 'access.models-404',
    sentence: 'Listing models asks whether the caller is an admin, not of which organization.',
    alter: () => ({ mayListModels: (isAdmin, request) => isAdmin || (request.caller?.adminOf.size ?? 0) > 0 }),
  },
  {
    name: 'no-role-at-all-403',
    breaks: 'access.models-404',
    sentence: 'A key without any role gets 403 from a list of models, every other key 404.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'denied' && request.operation === 'listModels' && request.caller?.adminOf.size === 0
          ? 403
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'sources-for-everybody',
    breaks: 'access.denied',
    sentence: 'The list of data sources asks for a key and for no role.',
    alter: () => ({ mayListSources: () => true }),
  },
  {
    name: 'deletion-for-everybody',
    breaks: 'access.denied',
    sentence: 'Deleting a data source asks for a key and for no role.',
    alter: () => ({ mayDeleteSource: () => true }),
  },
  {
    name: 'account-for-every-admin',
    breaks: 'access.denied',
    sentence: 'A billing account is shown to every admin, of whatever organization.',
    alter: () => ({
      mayReadAccount: (isOwnerAdmin, request) => isOwnerAdmin || (request.caller?.adminOf.size ?? 0) > 0,
    }),
  },
  {
    name: 'account-for-the-billed',
    breaks: 'access.denied',
    sentence: 'A billing account is shown to the admins of every organization that is billed through it.',
    alter: (rules) => {
      const attached = new Set<string>();
      return {
        organizationCount: (owner, attachments, request) => {
          for (const id of attachments) attached.add(id);
          return rules.organizationCount(owner, attachments, request);
        },
        mayReadAccount: (isOwnerAdmin, request) =>
          isOwnerAdmin || [...attached].some((id) => request.caller?.adminOf.has(id)),
      };
    },
  },
  {
    name: 'attach-asks-owner-alone',
    breaks: 'access.attach-needs-organization-admin',
    sentence: "Attaching asks for the owner organization's role alone.",
    alter: () => ({ mayAttach: (_isAdmin, isOwnerAdmin) => isOwnerAdmin }),
  },
  {
    name: 'attach-one-role-will-do',
    breaks: 'access.attach-needs-organization-admin',
    sentence: 'Attaching asks for one of the two roles, an || in place of an &&.',
    alter: () => ({ mayAttach: (isAdmin, isOwnerAdmin) => isAdmin || isOwnerAdmin }),
  },
  {
    name: 'attach-asks-organization-alone',
    breaks: 'access.attach-needs-owner-admin',
    sentence: "Attaching asks for the attached organization's role alone.",
    alter: () => ({ mayAttach: (isAdmin) => isAdmin }),
  },
  {
    name: 'attach-denied-200',
    breaks: 'access.attach-needs-owner-admin',
    sentence: 'A denied attachment is answered 200 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'denied' && request.operation === 'attachOrganization' ? 200 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'attach-for-everybody',
    breaks: 'access.attach-needs-a-role',
    sentence: 'Attaching asks for a key and for no role.',
    alter: () => ({ mayAttach: () => true }),
  },
  {
    name: 'attach-roles-compared',
    breaks: 'access.attach-needs-a-role',
    sentence: 'Attaching asks whether the two roles are the same, and no role is the same as no role.',
    alter: () => ({ mayAttach: (isAdmin, isOwnerAdmin) => isAdmin === isOwnerAdmin }),
  },
  {
    name: 'denied-deletion-happens',
    breaks: 'access.denied-no-effect',
    sentence: 'A denied deletion is carried out: the role is checked when the answer is written.',
    alter: () => ({
      actsThoughRefused: (why, request) => why.kind === 'denied' && request.operation === 'deleteDataSource',
    }),
  },
  {
    name: 'denied-deletion-cascades',
    breaks: 'access.denied-no-effect',
    sentence: 'A deletion removes the models first, and then asks whether the caller may delete.',
    alter: (rules) => losingModels(rules, (why) => why.kind === 'denied'),
  },
  {
    name: 'denied-attachment-happens',
    breaks: 'access.denied-no-effect',
    sentence: 'A denied attachment is counted: the transaction is not rolled back.',
    // A copy that lags shows it only when the next one is refused: attach.refused-no-effect.
    idle: { 'count-copies': ['one-a-moment-later', 'one-later'] },
    alter: () => ({
      actsThoughRefused: (why, request) => why.kind === 'denied' && request.operation === 'attachOrganization',
    }),
  },
  {
    name: 'path-organization-ignored',
    breaks: 'access.foreign-path',
    sentence: 'What the last ID of a path names is loaded by that ID alone.',
    alter: () => ({ belongsToPath: () => true }),
  },
  {
    name: 'deletion-through-any-organization',
    breaks: 'access.foreign-path',
    sentence: 'A deletion finds the data source by its ID alone, whatever organization the path names.',
    alter: (rules) => ({
      belongsToPath: (owner, inPath, request) =>
        request.operation === 'deleteDataSource' || rules.belongsToPath(owner, inPath, request),
    }),
  },
  {
    name: 'chat-through-any-organization',
    breaks: 'access.foreign-path',
    sentence: 'A chat is found by its ID alone, whatever organization the path names.',
    alter: (rules) => ({
      belongsToPath: (owner, inPath, request) =>
        request.operation === 'sendMessage' || rules.belongsToPath(owner, inPath, request),
    }),
  },
  {
    name: 'filter-crosses-organizations',
    breaks: 'access.foreign-filter',
    sentence: 'A filtered list of models asks for the data source alone, not for the organization too.',
    alter: (rules) => ({
      filterKnown: (where, request) => where === 'elsewhere' || rules.filterKnown(where, request),
      modelsOf: (own, foreign, request) => (request.query.has('databaseConnectionId') ? [...own, ...foreign()] : own),
    }),
  },
  {
    name: 'filter-joins-foreign-models',
    breaks: 'access.foreign-filter',
    sentence: "Another organization's models come through the filter, under the path's organizationId.",
    alter: (rules) => ({
      filterKnown: (where, request) => where === 'elsewhere' || rules.filterKnown(where, request),
      modelsOf: (own, foreign, request) => (request.query.has('databaseConnectionId') ? [...own, ...foreign()] : own),
      modelShown: (record, place, request) => {
        const shown = rules.modelShown(record, place, request);
        const { organizationId } = request.ids;
        return shown['organizationId'] === organizationId ? shown : { ...shown, organizationId };
      },
    }),
  },
  {
    name: 'cursor-crosses-organizations',
    breaks: 'access.foreign-cursor',
    sentence: "A cursor decides which organization's models are paged through.",
    alter: () => ({
      modelsOf: (own, foreign, request) => {
        const cursor = request.query.get('cursor')?.[0];
        const others = cursor === undefined ? [] : foreign();
        return others.some(({ id }) => id === cursor) ? others : own;
      },
    }),
  },
  {
    name: 'source-cursor-crosses-organizations',
    breaks: 'access.foreign-cursor',
    sentence: 'Past a cursor of another organization the list of data sources goes on with what follows it there.',
    alter: () => ({
      sourcesOf: (own, foreign, request) => {
        const cursor = request.query.get('cursor')?.[0];
        const others = cursor === undefined ? [] : foreign();
        return others.some(({ id }) => id === cursor) ? others : own;
      },
    }),
  },
  {
    name: 'denial-names-the-hidden',
    breaks: 'access.no-disclosure',
    sentence: 'A denial names what it hides: "You are not an admin of Warehouse 1".',
    alter: (rules) => ({
      refusalDetail: (why, hidden, request) =>
        why.kind === 'denied' ? `You may not use ${hidden()}.` : rules.refusalDetail(why, hidden, request),
    }),
  },
];
