import type { Operation } from '../../../spec/requirement.ts';
import type { Fault } from '../../variation.ts';
import { alsoAllowed, deniedTo, undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** The admins of an owner organization may use that operation on every organization it is billed for. */
function openedToOwner(operation: Operation): Fault['alter'] {
  return (rules) => {
    const owners = new Set<string>();
    const attached = new Set<string>();
    return {
      organizationCount: (owner, attachments, request) => {
        owners.add(owner);
        for (const id of attachments) attached.add(id);
        return rules.organizationCount(owner, attachments, request);
      },
      ...alsoAllowed(
        operation,
        ({ ids, caller }) => attached.has(ids.organizationId) && owners.values().some((id) => caller?.adminOf.has(id)),
      )(rules),
    };
  };
}

/** What goes wrong only after something else happened. */
export const sequenceFaults = faultsOf({
  'idempotency.after': {
    'keys-of-last-chat-alone': {
      sentence: 'Only the keys of the last chat of a caller are kept: a message to another chat deletes them.',
      alter: () => {
        const lastChat = new Map<string | undefined, string>();
        return {
          onAccepted: ({ chatId }, { caller }) => void lastChat.set(caller?.name, chatId),
          keyKnown: (isKnown, { caller }, { chatId }) => isKnown && lastChat.get(caller?.name) === chatId,
        };
      },
    },
  },
  'idempotency.later': {
    'deletion-clears-keys': {
      sentence: 'Deleting a data source clears the cache of its organization, including the idempotency keys.',
      alter: () => {
        const clearedAt = new Map<string, number>();
        return {
          onDeleted: (_source, { ids, at }) => void clearedAt.set(ids.organizationId, at),
          keyKnown: (isKnown, _request, { acceptedAt, organizationId }) =>
            isKnown && acceptedAt > (clearedAt.get(organizationId) ?? 0),
        };
      },
    },
  },
  'paging.any-id-is-cursor': {
    'cursor-mends-one-deletion': {
      sentence: 'Cursors in the list of models are corrected for the latest deletion only, not for earlier ones.',
      idle: { models: ['0', '1'] },
      alter: () => {
        const deletions = new Map<string, number>();
        return {
          onDeleted: (_source, { ids: { organizationId } }) =>
            void deletions.set(organizationId, (deletions.get(organizationId) ?? 0) + 1),
          pageStart: (start, request) => {
            const off = on('listModels')(request) ? (deletions.get(request.ids.organizationId) ?? 0) - 1 : 0;
            return start + Math.max(0, off);
          },
        };
      },
    },
    'deletion-locks-cursors': {
      sentence:
        'For eight seconds after a deletion, while the cleanup job may run, the list of models does not know any cursor.',
      idle: { models: ['0', '1'] },
      alter: () => {
        let deletedAt = Number.NEGATIVE_INFINITY;
        return {
          onDeleted: (_source, { at }) => void (deletedAt = at),
          cursor: (cursor, request) =>
            on('listModels')(request) && request.at < deletedAt + 8000 ? `${cursor}-` : cursor,
        };
      },
    },
  },
  'models.filter': {
    'filter-index-emptied-by-deletion': {
      sentence: 'A deletion clears the index of data sources: a filter by one of them is 404 until it is listed again.',
      idle: { models: ['0', '1'], sources: ['0', '1', '3'] },
      alter: (rules) => {
        const listed = new Map<string, Set<unknown>>();
        return {
          onDeleted: (_source, { ids }) => void listed.set(ids.organizationId, new Set()),
          sourceShown: (record, { ids }) => {
            listed.get(ids.organizationId)?.add(record['id']);
            return record;
          },
          filterKnown: (where, request) => {
            const known = listed.get(request.ids.organizationId);
            const id = first(request.query.get('databaseConnectionId') ?? []);
            return rules.filterKnown(where, request) && (known === undefined || known.has(id));
          },
        };
      },
    },
  },
  'delete.others-untouched': {
    'fourth-deletion-takes-newest': {
      sentence: 'Every deletion from the fourth on also deletes the newest data source.',
      idle: {
        'disposable-sources': ['30'],
        'created-at': ['all-equal'],
        // Marked and still listed, it leaves no gap in a page, and it may have no models.
        'deleted-sources': ['deleted-at', 'is-deleted', 'status'],
      },
      alter: () => {
        let count = 0;
        const gone = new Set<string>();
        return {
          deletes: (sources, _request, all) => {
            count += 1;
            const newest = all.find(({ id }) => !gone.has(id));
            if (count < 4 || newest === undefined) return sources;
            gone.add(newest.id);
            return [...sources, newest];
          },
        };
      },
    },
  },
  'delete.gone-or-marked': {
    'repetition-brings-back-deleted': {
      sentence: 'A repeated request saves its old list of data sources, which restores one deleted since.',
      alter: (rules) => {
        let latest: { readonly id: string; readonly at: number } | undefined;
        const back = new Set<string>();
        return {
          onDeleted: ({ id }, { at }) => {
            latest = { id, at };
          },
          keyKnown: (isKnown, _request, { acceptedAt }) => {
            if (latest !== undefined && acceptedAt < latest.at) back.add(latest.id);
            return isKnown;
          },
          ...undeleted((id) => back.has(id))(rules),
        };
      },
    },
  },
  'attach.count': {
    'later-attachments-need-a-second-try': {
      sentence:
        'Two organizations were attached before. From the fifth one more on, an attachment is accepted and takes effect only when it is repeated.',
      idle: { 'attached-by-others': ['now-and-then', 'all-the-time'], 'attachable-to-first': ['5', '2'] },
      alter: (rules) => {
        const tried = new Set<string>();
        return {
          attachmentCounts: (counts, _request, id) => {
            const isNew = !tried.has(id);
            tried.add(id);
            return counts && !(isNew && tried.size > 4);
          },
          organizationCount: (owner, attachments, request) => 2 + rules.organizationCount(owner, attachments, request),
        };
      },
    },
    'deletion-recounts-from-night': {
      sentence: 'After a deletion, organizationCount is read from a nightly view without recent attachments.',
      // Before the first deletion it is right. After it, a count that others change as well is not judged.
      idle: { 'attached-by-others': ['now-and-then', 'all-the-time'] },
      alter: (rules) => {
        const today = new Set<string>();
        const lost = new Set<string>();
        return {
          onAttached: (id) => void today.add(id),
          onDeleted: () => {
            for (const id of today) lost.add(id);
          },
          organizationCount(owner, attachments, request) {
            const kept = attachments.filter((id) => !lost.has(id));
            return rules.organizationCount(owner, kept, request);
          },
        };
      },
    },
  },
  'attach.twice': {
    'deletion-forgets-the-attached': {
      sentence: 'A deletion clears the cache of attached organizations, so attaching one again counts it again.',
      alter: () => {
        const known = new Set<string>();
        return {
          attachAgain: () => 'accept',
          attachmentCounts: (_counts, _request, id) => {
            const isNew = !known.has(id);
            known.add(id);
            return isNew;
          },
          onDeleted: () => known.clear(),
          organizationCount: (_owner, attachments) => 1 + attachments.length,
        };
      },
    },
  },
  'access.denied': {
    'attaching-opens-to-owner': {
      sentence:
        'The admins of the owner organization may list the data sources of every organization it is billed for.',
      alter: openedToOwner('listDataSources'),
    },
  },
  'access.models-404': {
    'attaching-opens-models-to-owner': {
      sentence: 'The admins of the owner organization may list the models of every organization it is billed for.',
      alter: openedToOwner('listModels'),
    },
    'deletion-opens-models': {
      sentence: 'After a deletion, the list of models is filled again without the role of its readers.',
      alter: (rules) => {
        let isDeleted = false;
        return {
          onDeleted: () => void (isDeleted = true),
          ...alsoAllowed('listModels', () => isDeleted)(rules),
        };
      },
    },
  },
  'access.granted': {
    'attaching-hides-account': {
      sentence: 'Once an organization is attached, only the admin who attached it may read the billing account.',
      alter: (rules) => {
        let last: string | undefined;
        return {
          onAttached: (_id, { caller }) => void (last = caller?.name),
          ...deniedTo('getBillingAccount', ({ caller }) => last !== undefined && caller?.name !== last)(rules),
        };
      },
    },
  },
});
