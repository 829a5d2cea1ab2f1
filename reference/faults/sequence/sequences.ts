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
        messageId: (fresh, role, previous, ask) => {
          lastChat.set(ask.caller?.name ?? '', ask.ids.chatId);
          return rules.messageId(fresh, role, previous, ask);
        },
        keyRemembered: (exchange, finished, later, ask) =>
          lastChat.get(ask.caller?.name ?? '') === exchange.chatId &&
          rules.keyRemembered(exchange, finished, later, ask),
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
        deleteStatus: (ask) => {
          clearedAt.set(ask.ids.organizationId, ask.at);
          return rules.deleteStatus(ask);
        },
        keyRemembered: (exchange, finished, later, ask) =>
          exchange.acceptedAt > (clearedAt.get(exchange.organizationId) ?? 0) &&
          rules.keyRemembered(exchange, finished, later, ask),
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
        deletes: (source, all, ask) => {
          deletions.set(ask.ids.organizationId, (deletions.get(ask.ids.organizationId) ?? 0) + 1);
          return rules.deletes(source, all, ask);
        },
        pageStart: (start, items, ask) => {
          const off = ask.operation === 'listModels' ? (deletions.get(ask.ids.organizationId) ?? 0) - 1 : 0;
          return rules.pageStart(start, items, ask) + Math.max(0, off);
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
        deletes: (source, all, ask) => {
          listed.set(ask.ids.organizationId, new Set());
          return rules.deletes(source, all, ask);
        },
        sourceShown: (record, place, ask) => {
          listed.get(ask.ids.organizationId)?.add(record['id']);
          return rules.sourceShown(record, place, ask);
        },
        filterKnown: (where, ask) => {
          const known = listed.get(ask.ids.organizationId);
          const id = first(ask.query.get('databaseConnectionId') ?? []);
          return rules.filterKnown(where, ask) && (known === undefined || known.has(id));
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
        deletes: (source, all, ask) => {
          count += 1;
          const newest = first(all);
          return [...rules.deletes(source, all, ask), ...(count < 4 || newest === undefined ? [] : [newest])];
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
        deletes: (source, all, ask) => {
          latest = { id: source.id, at: ask.at };
          return rules.deletes(source, all, ask);
        },
        keyRemembered: (exchange, finished, later, ask) => {
          if (latest !== undefined && exchange.acceptedAt < latest.at) back.add(latest.id);
          return rules.keyRemembered(exchange, finished, later, ask);
        },
        deletedListed: (source, deletedAt, ask) => back.has(source.id) || rules.deletedListed(source, deletedAt, ask),
        deletedMark: (record, deletedAt, ask) =>
          back.has(record['id']) ? record : rules.deletedMark(record, deletedAt, ask),
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
        attachmentCounts: (id, before, ask) => {
          today.add(id);
          return rules.attachmentCounts(id, before, ask);
        },
        deletes: (source, all, ask) => {
          for (const id of today) lost.add(id);
          return rules.deletes(source, all, ask);
        },
        organizationCount: (owner, attachments, ask) =>
          rules.organizationCount(
            owner,
            attachments.filter((id) => !lost.has(id)),
            ask,
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
        organizationCount: (owner, attachments, ask) => {
          owners.add(owner);
          for (const id of attachments) attached.add(id);
          return rules.organizationCount(owner, attachments, ask);
        },
        mayListSources: (isAdmin, ask) =>
          rules.mayListSources(isAdmin, ask) ||
          (attached.has(ask.ids.organizationId) && [...owners].some((id) => ask.caller?.adminOf.has(id))),
      };
    },
  },
];
