import type { Item } from '../../data/item.ts';
import type { Caller, RefusalKind, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { alsoAllowed, deniedTo } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { hasWait, keyOf, on } from '../shared/requests.ts';

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
        const due = new Map<string, number>();
        return {
          deletes: (marked, { at }, all) => {
            const others = all.filter(({ id }) => !due.has(id));
            const other = others[Math.min(60, others.length - 1)];
            if (other !== undefined) due.set(other.id, at + 8000);
            return marked;
          },
          sources: (listed, { at }) => listed.filter(({ id }) => at < (due.get(id) ?? Number.POSITIVE_INFINITY)),
        };
      },
    },
    'cleanup-by-name': {
      sentence:
        'Eight seconds after a deletion, a job also removes the models of another data source with the same name.',
      idle: { models: ['0', '1'], 'created-at': ['all-equal'] },
      alter: () => {
        const used = new Set<string>();
        const removals = new Map<string, number>();
        return {
          deletes: (sources, { at }, all) => {
            const other = all.find(({ id }) => used.has(id) && !removals.has(id));
            if (other !== undefined) removals.set(other.id, at + 8000);
            return sources;
          },
          sequence: (items, request) => {
            const isKept = (sourceId: string): boolean =>
              request.at < (removals.get(sourceId) ?? Number.POSITIVE_INFINITY);
            if (!on('listModels')(request)) return items;
            for (const { sourceId } of items) used.add(sourceId);
            return items.filter(({ sourceId }) => isKept(sourceId));
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
