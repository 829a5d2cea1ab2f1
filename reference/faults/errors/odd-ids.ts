import { faultsOf } from '../shared/faults-of.ts';

/** The first ID that begins with this one. */
function beginning(id: string, all: readonly string[]): string {
  return all.find((known) => id !== '' && known.startsWith(id)) ?? id;
}

/** The first ID that is the same in lower case. */
function folded(id: string, all: readonly string[]): string {
  return all.find((known) => known.toLowerCase() === id.toLowerCase()) ?? id;
}

export const oddIdFaults = faultsOf({
  'billing.unknown': {
    'account-by-beginning': {
      sentence: 'An ID is cast to the type of its column, which drops letters after it.',
      alter: () => ({
        accountId: (id, _request, all) =>
          all.find((known) => id.startsWith(known) && /^[a-z]+$/i.test(id.slice(known.length))) ?? id,
      }),
    },
    'account-in-any-case': {
      sentence: 'The column of account IDs is compared without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({ accountId: (id, _request, all) => folded(id, all) }),
    },
  },
  'models.unknown-organization': {
    'organization-by-beginning': {
      sentence: 'An organization is found with LIKE and a % after the ID.',
      idle: { ids: ['number'] },
      alter: () => ({
        organizationId: (id, _request, all) => all().find((known) => known === id) ?? beginning(id, all()),
      }),
    },
    'organization-in-any-case': {
      sentence: 'The column of organization IDs is compared without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({
        organizationId: (id, _request, all) => all().find((known) => known === id) ?? folded(id, all()),
      }),
    },
  },
  'delete.unknown': {
    'deletion-by-beginning': {
      sentence: 'The data source of a deletion is found with LIKE and a % after the ID.',
      idle: { ids: ['number', 'per-organization'] },
      alter: () => ({ sourceId: (id, _request, all) => all().find((known) => known === id) ?? beginning(id, all()) }),
    },
    'deletion-in-any-case': {
      sentence: 'The data source of a deletion is found by its ID in lower case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({ sourceId: (id, _request, all) => folded(id, all()) }),
    },
  },
  'messages.unknown-chat': {
    'chat-by-beginning': {
      sentence: 'A chat is found by a key that begins with the given ID.',
      alter: () => ({ chatId: (id, _request, all) => all().find((known) => known === id) ?? beginning(id, all()) }),
    },
    'chat-in-any-case': {
      sentence: 'The column of chat IDs is compared without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({ chatId: (id, _request, all) => folded(id, all()) }),
    },
  },
  'attach.unknown-account': {
    'attach-to-account-in-any-case': {
      sentence: 'An attachment finds its account without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({
        accountId: (id, { operation }, all) => (operation === 'attachOrganization' ? folded(id, all) : id),
      }),
    },
  },
  'robustness.odd-ids': {
    'nul-in-path-ends-the-process': {
      sentence: 'A NUL character in an ID crashes a C library, and the process ends without an answer.',
      alter: (rules) => ({
        breaks: (status, request) => (/%00/.test(request.path) ? 'reset' : rules.breaks(status, request)),
      }),
    },
    'odd-id-500': {
      sentence: 'An ID with a character that the database rejects causes an exception.',
      alter: () => ({
        status: (status, { path }) => (status === 404 && /%(00|[c-f])/i.test(path) ? 500 : status),
      }),
    },
    'ids-padded': {
      sentence: 'The database ignores trailing spaces, so an ID with a space after it is found.',
      alter: () => ({
        received: ({ ids, ...request }) => ({
          ...request,
          ids: {
            organizationId: ids.organizationId.trimEnd(),
            sourceId: ids.sourceId.trimEnd(),
            chatId: ids.chatId.trimEnd(),
            accountId: ids.accountId.trimEnd(),
          },
        }),
      }),
    },
    'long-filter-500': {
      sentence: 'A filter that is longer than its column causes an exception.',
      alter: () => ({
        status: (status, { query }) => ((query.get('databaseConnectionId')?.[0]?.length ?? 0) > 255 ? 500 : status),
      }),
    },
  },
});
