import type { Ask, Caller, Refusal } from '../../http/ask.ts';
import type { Item } from '../../data/item.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';

/** Deletions that were refused for that reason are carried out two seconds later. */
function queuedThough(kind: Refusal['kind'], rules: Rules): Partial<Rules> {
  const since = new Map<string, number>();
  const isGone = (id: string, { at }: Ask): boolean => at - (since.get(id) ?? at) >= 2000;
  return {
    actsThoughRefused: (why, ask) => {
      if (ask.operation === 'deleteDataSource' && why.kind === kind) since.set(ask.ids.sourceId, ask.at);
      return rules.actsThoughRefused(why, ask);
    },
    sequence: (items, ask) => rules.sequence(items, ask).filter(({ id }) => !isGone(id, ask)),
  };
}

/** What is right at first, and wrong some time later or elsewhere. */
export const laterFaults: readonly Fault[] = [
  {
    name: 'key-kept-for-seconds',
    breaks: 'idempotency.later',
    sentence: 'Keys are kept in a cache for eight seconds, enough for a client that tries again at once.',
    alter: (rules) => ({
      keyRemembered: (exchange, finished, later, ask) =>
        ask.at - exchange.finishesAt < 8000 && rules.keyRemembered(exchange, finished, later, ask),
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
        attachmentCounts: (id, before, ask) => {
          moved.add(id);
          return rules.attachmentCounts(id, before, ask);
        },
        mayListModels: (isAdmin, ask) => rules.mayListModels(isAdmin, ask) && !moved.has(ask.ids.organizationId),
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
        messageId: (fresh, role, previous, ask) => {
          const key = ask.headers[rules.keyHeader()];
          if (key !== undefined) senders.set(key, ask.caller);
          return rules.messageId(fresh, role, previous, ask);
        },
        anonymousCaller: (callers, ask) =>
          senders.get(ask.headers[rules.keyHeader()] ?? '') ?? rules.anonymousCaller(callers, ask),
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
        messageAnswerStatus: (finished, ask) => {
          if (!finished && ask.query.has('wait')) kept.add(ask.ids.chatId);
          return rules.messageAnswerStatus(finished, ask);
        },
        busy: (exchange, now, ask) => kept.has(exchange.chatId) || rules.busy(exchange, now, ask),
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
        deletes: (source, all, ask) => {
          removal ??= { sourceId: first(all)?.id ?? '', at: ask.at + 9000 };
          return rules.deletes(source, all, ask);
        },
        sequence: (items, ask) => {
          const isOver = removal !== undefined && ask.at >= removal.at && ask.operation === 'listModels';
          return rules.sequence(items, ask).filter(({ sourceId }) => !isOver || sourceId !== removal?.sourceId);
        },
      };
    },
  },
  {
    name: 'filter-by-foreign-is-none',
    breaks: 'models.filter',
    sentence: 'A filter by a data source of another organization is left out, and all models of the own one come.',
    alter: (rules) => {
      const unfiltered = new WeakSet<Ask>();
      return {
        filterKnown: (where, ask) => {
          if (where === 'elsewhere') unfiltered.add(ask);
          return unfiltered.has(ask) || rules.filterKnown(where, ask);
        },
        filterMatches: (model, sourceId, ask) => unfiltered.has(ask) || rules.filterMatches(model, sourceId, ask),
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
        deletes: (source, all, ask) => {
          deleted.add(source.id);
          return rules.deletes(source, all, ask);
        },
        readFilter: (text, cursor, ask) => (deleted.has(text) ? undefined : rules.readFilter(text, cursor, ask)),
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
        sequence: (items, ask) => {
          const made = rules.sequence(items, ask);
          if (ask.operation !== 'listDataSources' || ask.query.has('limit')) return made;
          const known = cached.get(ask.ids.organizationId) ?? made;
          cached.set(ask.ids.organizationId, known);
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
      answerStatus: (status, ask) =>
        status < 300 && ask.operation === 'deleteDataSource' ? 500 : rules.answerStatus(status, ask),
    }),
  },
  {
    name: 'deletion-breaks-reading',
    breaks: 'access.granted',
    sentence: 'A deletion leaves its tables locked: from then on whatever reads ends in an exception.',
    alter: (rules) => {
      let isLocked = false;
      return {
        deleteStatus: (ask) => {
          isLocked = true;
          return rules.deleteStatus(ask);
        },
        failsInside: (ask) => (isLocked && ask.method === 'GET') || rules.failsInside(ask),
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
        deletes: (source, all, ask) => {
          deleted.add(source.id);
          return rules.deletes(source, all, ask);
        },
        mayDeleteSource: (isAdmin, ask) => deleted.has(ask.ids.sourceId) || rules.mayDeleteSource(isAdmin, ask),
        secondDelete: () => 'again',
      };
    },
  },
];
