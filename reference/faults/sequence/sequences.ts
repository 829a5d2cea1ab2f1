import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';

/** What goes wrong only after something else happened. */
export const sequenceFaults: readonly Fault[] = [
  {
    name: 'keys-of-last-chat-alone',
    breaks: 'idempotency.after',
    sentence:
      'The keys of a caller are kept with the chat that it wrote to last: a message to another chat forgets them.',
    alter: (rules) => {
      const lastChat = new Map<string, string>();
      return {
        messageId: (fresh, role, previous, request) => {
          lastChat.set(request.caller?.name ?? '', request.ids.chatId);
          return rules.messageId(fresh, role, previous, request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          lastChat.get(request.caller?.name ?? '') === exchange.chatId &&
          rules.keyRemembered(exchange, finished, later, request),
      };
    },
  },
  {
    name: 'deletion-clears-keys',
    breaks: 'idempotency.later',
    sentence: 'Deleting a data source clears the cache of its organization, the idempotency keys too.',
    alter: (rules) => {
      const clearedAt = new Map<string, number>();
      return {
        deleteStatus: (request) => {
          clearedAt.set(request.ids.organizationId, request.at);
          return rules.deleteStatus(request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          exchange.acceptedAt > (clearedAt.get(exchange.organizationId) ?? 0) &&
          rules.keyRemembered(exchange, finished, later, request),
      };
    },
  },
  {
    name: 'cursor-mends-one-deletion',
    breaks: 'paging.any-id-is-cursor',
    sentence:
      'Cursors into the list of models are corrected for the latest deletion of a data source, not for those before.',
    idle: { models: ['0', '1'] },
    alter: (rules) => {
      const deletions = new Map<string, number>();
      return {
        deletes: (source, all, request) => {
          deletions.set(request.ids.organizationId, (deletions.get(request.ids.organizationId) ?? 0) + 1);
          return rules.deletes(source, all, request);
        },
        pageStart: (start, items, request) => {
          const off = request.operation === 'listModels' ? (deletions.get(request.ids.organizationId) ?? 0) - 1 : 0;
          return rules.pageStart(start, items, request) + Math.max(0, off);
        },
      };
    },
  },
  {
    name: 'filter-index-emptied-by-deletion',
    breaks: 'models.filter',
    sentence: 'A deletion empties the index of data sources, and a filter by one is 404 until somebody lists it again.',
    idle: { models: ['0', '1'], sources: ['0', '1', '3'] },
    alter: (rules) => {
      const listed = new Map<string, Set<unknown>>();
      return {
        deletes: (source, all, request) => {
          listed.set(request.ids.organizationId, new Set());
          return rules.deletes(source, all, request);
        },
        sourceShown: (record, place, request) => {
          listed.get(request.ids.organizationId)?.add(record['id']);
          return rules.sourceShown(record, place, request);
        },
        filterKnown: (where, request) => {
          const known = listed.get(request.ids.organizationId);
          const id = first(request.query.get('databaseConnectionId') ?? []);
          return rules.filterKnown(where, request) && (known === undefined || known.has(id));
        },
      };
    },
  },
  {
    name: 'fourth-deletion-takes-newest',
    breaks: 'delete.others-untouched',
    sentence:
      'Deletions are worked off in batches of four, and the query that closes a batch takes the newest data source too.',
    idle: {
      'disposable-sources': ['30'],
      'created-at': ['all-equal'],
      // Marked and still listed it is no gap in a page, and the models over it may be none.
      'deleted-sources': ['deleted-at', 'is-deleted', 'status'],
    },
    alter: (rules) => {
      let count = 0;
      return {
        deletes: (source, all, request) => {
          count += 1;
          const newest = first(all);
          return [...rules.deletes(source, all, request), ...(count < 4 || newest === undefined ? [] : [newest])];
        },
      };
    },
  },
  {
    name: 'repetition-brings-back-deleted',
    breaks: 'delete.gone-or-marked',
    sentence: 'A repeated request saves what its conversation knew of the data sources, one deleted meanwhile as well.',
    alter: (rules) => {
      let latest: { readonly id: string; readonly at: number } | undefined;
      const back = new Set<unknown>();
      return {
        deletes: (source, all, request) => {
          latest = { id: source.id, at: request.at };
          return rules.deletes(source, all, request);
        },
        keyRemembered: (exchange, finished, later, request) => {
          if (latest !== undefined && exchange.acceptedAt < latest.at) back.add(latest.id);
          return rules.keyRemembered(exchange, finished, later, request);
        },
        deletedListed: (source, deletedAt, request) =>
          back.has(source.id) || rules.deletedListed(source, deletedAt, request),
        deletedMark: (record, deletedAt, request) =>
          back.has(record['id']) ? record : rules.deletedMark(record, deletedAt, request),
      };
    },
  },
  {
    name: 'deletion-recounts-from-night',
    breaks: 'attach.count',
    sentence: 'After a deletion organizationCount is read from a view of last night, without what was attached since.',
    // Before the first deletion it is right, and afterwards a count that others move is held against nobody.
    idle: { 'attached-by-others': ['now-and-then', 'all-the-time'] },
    alter: (rules) => {
      const today = new Set<string>();
      const lost = new Set<string>();
      return {
        attachmentCounts: (id, before, request) => {
          today.add(id);
          return rules.attachmentCounts(id, before, request);
        },
        deletes: (source, all, request) => {
          for (const id of today) lost.add(id);
          return rules.deletes(source, all, request);
        },
        organizationCount: (owner, attachments, request) =>
          rules.organizationCount(
            owner,
            attachments.filter((id) => !lost.has(id)),
            request,
          ),
      };
    },
  },
  {
    name: 'deletion-forgets-the-attached',
    breaks: 'attach.twice',
    sentence:
      'Which organizations are attached is remembered in the cache that a deletion empties: attached again, they count again.',
    alter: () => {
      const known = new Set<string>();
      return {
        attachAgain: () => 'accept',
        attachmentCounts: (id) => {
          const isNew = !known.has(id);
          known.add(id);
          return isNew;
        },
        deletes: (source) => {
          known.clear();
          return [source];
        },
        organizationCount: (_owner, attachments) => 1 + attachments.length,
      };
    },
  },
  {
    name: 'attaching-opens-to-owner',
    breaks: 'access.denied',
    sentence: 'The admins of the owner may list the data sources of every organization that its account bills.',
    alter: (rules) => {
      const owners = new Set<string>();
      const attached = new Set<string>();
      return {
        organizationCount: (owner, attachments, request) => {
          owners.add(owner);
          for (const id of attachments) attached.add(id);
          return rules.organizationCount(owner, attachments, request);
        },
        mayListSources: (isAdmin, request) =>
          rules.mayListSources(isAdmin, request) ||
          (attached.has(request.ids.organizationId) && [...owners].some((id) => request.caller?.adminOf.has(id))),
      };
    },
  },
];
