import type { Request } from '../../http/request.ts';
import { parseJson } from '../../../core/json.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on, type When } from '../shared/requests.ts';

/** The first try ends in an exception, and the next one succeeds. */
export const firstTryFaults = faultsOf({
  'access.granted': {
    'first-after-idle-500': {
      sentence:
        'Connections of the pool are closed after four idle seconds, and the next request ends in an exception.',
      alter: (rules) => {
        let latest = Number.NEGATIVE_INFINITY;
        let failing = 0;
        return {
          received(request) {
            if (request.at - latest > 4000) failing = request.turn;
            latest = request.at;
            return request;
          },
          failsInside: (request) => request.turn === failing || rules.failsInside(request),
        };
      },
    },
    'first-after-malformed-body-500': {
      sentence: 'A body that is no JSON leaves an aborted transaction, in which the next request ends in an exception.',
      alter: (rules) => {
        let [isAborted, failing] = [false, 0];
        return {
          received(request) {
            if (isAborted) failing = request.turn;
            isAborted = request.body !== '' && parseJson(Buffer.from(request.body)).problem !== undefined;
            return request;
          },
          failsInside: (request) => request.turn === failing || rules.failsInside(request),
        };
      },
    },
    'one-in-forty-500': {
      sentence:
        'One of the forty connections of the pool is broken, and each request that gets it ends in an exception.',
      alter: (rules) => ({
        failsInside: (request) => request.turn % 40 === 0 || rules.failsInside(request),
      }),
    },
    'deadlock-in-one-of-twenty-500': {
      sentence:
        'One in twenty messages, and one in twenty lists of data sources, meets a deadlock in the database and ends in an exception.',
      alter: (rules) => {
        const counts = new Map<Request['operation'], number>();
        const isLocking: When = (request) => on('sendMessage')(request) || on('listDataSources')(request);
        return {
          failsInside(request) {
            if (!isLocking(request)) return rules.failsInside(request);
            const count = (counts.get(request.operation) ?? 0) + 1;
            counts.set(request.operation, count);
            return count % 20 === 0 || rules.failsInside(request);
          },
        };
      },
    },
    'first-list-after-deletion-500': {
      sentence: 'A deletion empties the cache of its list, and the request that fills it again ends in an exception.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        const emptied = new Set<string>();
        return {
          onDeleted: (_item, { ids }) => void emptied.add(ids.organizationId),
          failsInside: (request) =>
            (on('listDataSources')(request) && emptied.delete(request.ids.organizationId)) ||
            rules.failsInside(request),
        };
      },
    },
    'deletion-first-try-500': {
      sentence:
        'The first attempt to delete a data source takes its lock and ends in an exception; the next one succeeds.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        const tried = new Set<string>();
        const failing = new Set<number>();
        return {
          deletes: (items, { turn, ids }) => {
            if (tried.has(ids.sourceId)) return items;
            tried.add(ids.sourceId);
            failing.add(turn);
            return [];
          },
          status: (status, { turn }) => (failing.has(turn) ? 500 : status),
          bodyText: (text, { turn }) =>
            failing.has(turn) ? '{"error":{"title":"Internal","detail":"Something went wrong."}}' : text,
        };
      },
    },
  },
});
