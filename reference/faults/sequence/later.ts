import type { Request, Caller, Refusal } from '../../http/request.ts';
import type { Item } from '../../data/item.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';

/** Deletions that were refused for that reason are carried out two seconds later. */
function queuedThough(kind: Refusal['kind'], rules: Rules): Partial<Rules> {
  const since = new Map<string, number>();
  const isGone = (id: string, { at }: Request): boolean => at - (since.get(id) ?? at) >= 2000;
  return {
    actsThoughRefused: (why, request) => {
      if (request.operation === 'deleteDataSource' && why.kind === kind) since.set(request.ids.sourceId, request.at);
      return rules.actsThoughRefused(why, request);
    },
    sequence: (items, request) => rules.sequence(items, request).filter(({ id }) => !isGone(id, request)),
  };
}

/** What is right at first, and wrong some time later or elsewhere. */
export const laterFaults: readonly Fault[] = [
  {
    name: 'key-kept-for-seconds',
    breaks: 'idempotency.later',
    sentence: 'Keys are kept in a cache for eight seconds, enough for a client that tries again at once.',
    alter: (rules) => ({
      keyRemembered: (exchange, finished, later, request) =>
        request.at - exchange.finishesAt < 8000 && rules.keyRemembered(exchange, finished, later, request),
    }),
  },
  {
    name: 'denied-deletion-queued',
    breaks: 'access.denied-no-effect',
    sentence: 'A deletion is put into a queue before the role is asked for, and carried out two seconds later.',
    alter: (rules) => queuedThough('denied', rules),
  },
  {
    name: '401-deletion-queued',
    breaks: 'auth.no-effect',
    sentence: 'A deletion is put into a queue before the key is looked at, and carried out two seconds later.',
    alter: (rules) => queuedThough('unauthenticated', rules),
  },
  {
    name: 'attached-organization-moved',
    breaks: 'access.granted',
    sentence: 'An attached organization is moved to where the paid ones are kept, and the roles in it stay behind.',
    alter: (rules) => {
      const moved = new Set<string>();
      return {
        attachmentCounts: (id, before, request) => {
          moved.add(id);
          return rules.attachmentCounts(id, before, request);
        },
        mayListModels: (isAdmin, request) =>
          rules.mayListModels(isAdmin, request) && !moved.has(request.ids.organizationId),
      };
    },
  },
  {
    name: 'repetition-without-key',
    breaks: 'auth.no-key',
    sentence: 'A message that is repeated is answered from a cache which stands before whatever looks at the API key.',
    alter: (rules) => {
      const senders = new Map<string, Caller | undefined>();
      return {
        messageId: (fresh, role, previous, request) => {
          const key = request.headers[rules.keyHeader()];
          if (key !== undefined) senders.set(key, request.caller);
          return rules.messageId(fresh, role, previous, request);
        },
        anonymousCaller: (callers, request) =>
          senders.get(request.headers[rules.keyHeader()] ?? '') ?? rules.anonymousCaller(callers, request),
      };
    },
  },
  {
    name: 'lock-kept-when-wait-is-over',
    breaks: 'conflict.ends',
    sentence:
      'The lock of a chat is given back by the request that waits for the response: not where its seconds end first.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const kept = new Set<string>();
      return {
        messageAnswerStatus: (finished, request) => {
          if (!finished && request.query.has('wait')) kept.add(request.ids.chatId);
          return rules.messageAnswerStatus(finished, request);
        },
        busy: (exchange, now, request) => kept.has(exchange.chatId) || rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'cleanup-by-name',
    breaks: 'delete.others-untouched',
    sentence:
      'Nine seconds after a deletion a job removes the models of another data source as well, which has the same name.',
    idle: { models: ['0', '1'], 'created-at': ['all-equal'] },
    alter: (rules) => {
      let removal: { readonly sourceId: string; readonly at: number } | undefined;
      return {
        deletes: (source, all, request) => {
          removal ??= { sourceId: first(all)?.id ?? '', at: request.at + 9000 };
          return rules.deletes(source, all, request);
        },
        sequence: (items, request) => {
          const isOver = removal !== undefined && request.at >= removal.at && request.operation === 'listModels';
          return rules.sequence(items, request).filter(({ sourceId }) => !isOver || sourceId !== removal?.sourceId);
        },
      };
    },
  },
  {
    name: 'filter-by-foreign-is-none',
    breaks: 'models.filter',
    sentence: 'A filter by a data source of another organization is left out, and all models of the own one come.',
    alter: (rules) => {
      const unfiltered = new WeakSet<Request>();
      return {
        filterKnown: (where, request) => {
          if (where === 'elsewhere') unfiltered.add(request);
          return unfiltered.has(request) || rules.filterKnown(where, request);
        },
        filterMatches: (model, sourceId, request) =>
          unfiltered.has(request) || rules.filterMatches(model, sourceId, request),
      };
    },
  },
  {
    name: 'filter-by-deleted-is-none',
    breaks: 'models.filter',
    sentence: 'A filter by a data source that was deleted is left out, and the models of all others come.',
    alter: (rules) => {
      const deleted = new Set<string | undefined>();
      return {
        deletes: (source, all, request) => {
          deleted.add(source.id);
          return rules.deletes(source, all, request);
        },
        readFilter: (text, cursor, request) =>
          deleted.has(text) ? undefined : rules.readFilter(text, cursor, request),
      };
    },
  },
  {
    name: 'usual-pages-cached-for-good',
    breaks: 'delete.gone-or-marked',
    sentence: 'Pages of the usual length are cached for good, and what is deleted stays in them.',
    idle: { 'deleted-sources': ['deleted-at', 'is-deleted', 'status'] },
    alter: (rules) => {
      const cached = new Map<string, readonly Item[]>();
      return {
        sequence: (items, request) => {
          const made = rules.sequence(items, request);
          if (request.operation !== 'listDataSources' || request.query.has('limit')) return made;
          const known = cached.get(request.ids.organizationId) ?? made;
          cached.set(request.ids.organizationId, known);
          return known;
        },
      };
    },
  },
  {
    name: 'deletion-done-but-500',
    breaks: 'delete.record',
    sentence: 'A deletion is carried out, and ends in an exception when its answer is made.',
    alter: (rules) => ({
      answerStatus: (status, request) =>
        status < 300 && request.operation === 'deleteDataSource' ? 500 : rules.answerStatus(status, request),
    }),
  },
  {
    name: 'deletion-breaks-reading',
    breaks: 'access.granted',
    sentence: 'A deletion leaves its tables locked: from then on whatever reads ends in an exception.',
    alter: (rules) => {
      let isLocked = false;
      return {
        deleteStatus: (request) => {
          isLocked = true;
          return rules.deleteStatus(request);
        },
        failsInside: (request) => (isLocked && request.method === 'GET') || rules.failsInside(request),
      };
    },
  },
  {
    name: 'deleted-for-everybody',
    breaks: 'access.denied',
    sentence: 'What is deleted already is answered with its record before anybody asks for the role.',
    alter: (rules) => {
      const deleted = new Set<string>();
      return {
        deletes: (source, all, request) => {
          deleted.add(source.id);
          return rules.deletes(source, all, request);
        },
        mayDeleteSource: (isAdmin, request) =>
          deleted.has(request.ids.sourceId) || rules.mayDeleteSource(isAdmin, request),
        secondDelete: () => 'again',
      };
    },
  },
];
