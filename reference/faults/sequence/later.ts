import type { Item } from '../../data/item.ts';
import type { Caller, RefusalKind, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { alsoAllowed, deniedTo } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { hasWait, keyOf, on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** Deletions that are refused in that way are carried out two seconds later. */
function queuedThough(kind: RefusalKind): Fault['alter'] {
  return () => {
    const since = new Map<string, number>();
    return {
      onRefused: (why, request) => {
        if (why.kind === kind && on('deleteDataSource')(request)) since.set(request.ids.sourceId, request.at);
      },
      sequence: (items, { at }) => items.filter(({ id }) => at - (since.get(id) ?? at) < 2000),
    };
  };
}

/** What is correct at first, and wrong some time later or elsewhere. */
export const laterFaults = faultsOf({
  'idempotency.later': {
    'key-kept-for-seconds': {
      sentence: 'Keys are cached for only eight seconds.',
      alter: () => ({ keyKnown: (isKnown, { at }, { finishesAt }) => isKnown && at - finishesAt < 8000 }),
    },
  },
  'access.denied-no-effect': {
    'denied-deletion-queued': {
      sentence: 'A deletion is queued before the role is checked, and carried out two seconds later.',
      alter: queuedThough('denied'),
    },
  },
  'auth.no-effect': {
    '401-deletion-queued': {
      sentence: 'A deletion is queued before the key is checked, and carried out two seconds later.',
      alter: queuedThough('unauthenticated'),
    },
  },
  'access.granted': {
    'attached-organization-moved': {
      sentence: 'An attached organization is moved to the paid plan and loses its roles.',
      alter: (rules) => {
        const moved = new Set<string>();
        return {
          onAttached: (id) => void moved.add(id),
          ...deniedTo('listModels', ({ ids }) => moved.has(ids.organizationId))(rules),
        };
      },
    },
    'deletion-breaks-reading': {
      sentence: 'A deletion leaves its tables locked, so every read after it causes an exception.',
      alter: (rules) => {
        let isLocked = false;
        return {
          onDeleted: () => {
            isLocked = true;
          },
          failsInside: (request) => (isLocked && request.method === 'GET') || rules.failsInside(request),
        };
      },
    },
  },
  'auth.no-key': {
    'repetition-without-key': {
      sentence: 'A repeated message is answered from a cache that does not check the API key.',
      alter: (rules) => {
        const senders = new Map<string | undefined, Caller | undefined>();
        return {
          onAccepted: (_message, request) => {
            const key = keyOf(request, rules);
            if (key !== undefined) senders.set(key, request.caller);
          },
          caller: (caller, request) =>
            rules.credentialHeader(request) === undefined ? senders.get(keyOf(request, rules)) : caller,
        };
      },
    },
  },
  'conflict.ends': {
    'lock-kept-when-wait-is-over': {
      sentence: 'The lock of a chat is not released if the wait ends before the response is finished.',
      idle: firstAnswerRepeated,
      alter: (rules) => {
        const kept = new Set<string>();
        return {
          messageAnswerStatus: (finished, request) => {
            if (!finished && hasWait(request)) kept.add(request.ids.chatId);
            return rules.messageAnswerStatus(finished, request);
          },
          busy: (exchange, now, request) => kept.has(exchange.chatId) || rules.busy(exchange, now, request),
        };
      },
    },
  },
  'delete.others-untouched': {
    'another-deleted-later': {
      sentence:
        'Eight seconds after a deletion, its job deletes another data source, too, which it finds by its position.',
      alter: () => {
        let due: { readonly id: string; readonly at: number } | undefined;
        return {
          deletes: (marked, { at }, all) => {
            const other = all[Math.min(60, all.length - 1)];
            if (other !== undefined) due ??= { id: other.id, at: at + 8000 };
            return marked;
          },
          sources: (listed, { at }) =>
            due !== undefined && at >= due.at ? listed.filter(({ id }) => id !== due?.id) : listed,
        };
      },
    },
    'cleanup-by-name': {
      sentence:
        'Nine seconds after a deletion, a job also removes the models of another data source with the same name.',
      idle: { models: ['0', '1'], 'created-at': ['all-equal'] },
      alter: () => {
        let removal: { readonly sourceId: string; readonly at: number } | undefined;
        return {
          deletes: (sources, { at }, all) => {
            removal ??= { sourceId: first(all)?.id ?? '', at: at + 9000 };
            return sources;
          },
          sequence: (items, request) => {
            const isOver = removal !== undefined && request.at >= removal.at && on('listModels')(request);
            return isOver ? items.filter(({ sourceId }) => sourceId !== removal?.sourceId) : items;
          },
        };
      },
    },
  },
  'models.filter': {
    'filter-by-foreign-is-none': {
      sentence: 'A filter by a data source of another organization is ignored.',
      idle: { ids: ['per-organization'] },
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
    'filter-by-deleted-is-none': {
      sentence: 'A filter by a deleted data source is ignored.',
      alter: () => {
        const deleted = new Set<string | undefined>();
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          filter: (given) => (deleted.has(given) ? undefined : given),
        };
      },
    },
  },
  'delete.gone-or-marked': {
    'usual-pages-cached-for-good': {
      sentence: 'Pages of the default length are cached forever, so deleted data sources stay on them.',
      idle: { 'deleted-sources': ['deleted-at', 'is-deleted', 'status'] },
      alter: () => {
        const cached = new Map<string, readonly Item[]>();
        return {
          sequence: (items, request) => {
            if (!on('listDataSources')(request) || request.query.has('limit')) return items;
            const known = cached.get(request.ids.organizationId) ?? items;
            cached.set(request.ids.organizationId, known);
            return known;
          },
        };
      },
    },
  },
  'delete.record': {
    'deletion-done-but-500': {
      sentence: 'A deletion is carried out, but writing its answer causes an exception.',
      alter: () => ({ status: (status, request) => (status < 300 && on('deleteDataSource')(request) ? 500 : status) }),
    },
  },
  'access.denied': {
    'deleted-for-everybody': {
      sentence: 'Deleting a data source that is already deleted returns its record without checking the role.',
      alter: (rules) => {
        const deleted = new Set<string>();
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          secondDelete: () => 'again',
          ...alsoAllowed('deleteDataSource', ({ ids }) => deleted.has(ids.sourceId))(rules),
        };
      },
    },
  },
});
