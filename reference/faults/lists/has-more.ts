import type { Item } from '../../data/item.ts';
import { isFiltered } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, on } from '../shared/requests.ts';

/** On pages of some sizes, hasMore counts all rows behind the cursor, before the deleted ones are left out. */
function moreIfDeleted(isSo: (size: number) => boolean): Fault['alter'] {
  return (rules) => {
    let rows: readonly Item[] = [];
    return {
      sources: (all) => (rows = all),
      hasMore: (end, total, size, request) => {
        const cursor = request.query.get('cursor')?.[0];
        const start = rows.findIndex(({ id }) => id === cursor) + 1;
        const isOver = isSo(size) && on('listDataSources')(request) && rows.length - start > size;
        return rules.hasMore(end, total, size, request) || isOver;
      },
    };
  };
}

/** Counts that go wrong. */
export const hasMoreFaults = faultsOf({
  'paging.limit': {
    'removed-models-take-places': {
      sentence: 'A page of models is cut before the models that a cleanup job removed are left out.',
      idle: { models: ['0', '1', '3', '50', '51', '100'] },
      alter: (rules) => {
        const removed = new Set<string>();
        return {
          cleanupRemoves: (model, request) => {
            if (rules.cleanupRemoves(model, request)) removed.add(model.id);
            return false;
          },
          pageItems: (page) => page.filter(({ id }) => !removed.has(id)),
        };
      },
    },
  },
  'paging.has-more': {
    'more-of-other-organizations': {
      sentence: 'hasMore counts the rows of all organizations, so it can lead to an empty page.',
      alter: (rules) => {
        let most = 0;
        return {
          hasMore: (end, total, size, request) => {
            most = Math.max(most, total);
            const areOthersOlder = total < most && end > 0 && !isFiltered(request) && !hasCursor(request);
            return rules.hasMore(end, total, size, request) || areOthersOlder;
          },
        };
      },
    },
    'walk-ends-at-a-wrapped-count': {
      sentence: 'Items are counted in seven bits, so hasMore is false on a page that ends with item 128.',
      idle: { models: ['0', '1', '3', '50', '51', '100', '101'] },
      alter: (rules) => ({
        hasMore: (end, total, size, request) => end % 128 !== 0 && rules.hasMore(end, total, size, request),
      }),
    },
    'last-one-missed-without-limit': {
      sentence: 'Without a limit, hasMore is false where one item follows, because > was written for >=.',
      idle: { models: ['0', '1', '3', '50'], sources: ['0', '1', '3'] },
      alter: (rules) => ({
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, request.query.has('limit') ? total : total - 1, size, request),
      }),
    },
    'filtered-last-one-missed': {
      sentence: 'Under a filter, hasMore is false where one model follows, because > was written for >=.',
      idle: { models: ['0', '1', '3'] },
      alter: (rules) => ({
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, isFiltered(request) ? total - 1 : total, size, request),
      }),
    },
    'deleted-take-places': {
      sentence: 'Deleted items are removed from a page after its items were counted.',
      // A page that is too short before more items breaks paging.limit. Short lists show nothing.
      idle: { 'created-at': ['all-equal'], models: ['0', '1', '3'], sources: ['0', '1', '51', '100', '101'] },
      alter: () => {
        const deleted = new Set<string>();
        return {
          deletedListed: (item) => {
            deleted.add(item.id);
            return true;
          },
          pageItems: (page) => page.filter(({ id }) => !deleted.has(id)),
        };
      },
    },
    'last-one-forgotten-after-deletion': {
      sentence: 'A deletion is subtracted twice from the total, so hasMore is false before the last item.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        let isLate = false;
        return {
          onDeleted: () => (isLate = true),
          hasMore: (end, total, size, request) =>
            rules.hasMore(end, isLate && on('listDataSources')(request) ? total - 1 : total, size, request),
        };
      },
    },
    'more-if-deleted-among-them': {
      sentence:
        'One row more than the limit is read, and hasMore is set if it comes, before the deleted rows are left out.',
      idle: { sources: ['0', '1', '3'], 'deleted-sources': ['deleted-at', 'is-deleted', 'status'] },
      alter: moreIfDeleted(() => true),
    },
    'more-if-deleted-among-many': {
      sentence: 'Pages of more than two items come from another query, which counts deleted rows for hasMore.',
      idle: { sources: ['0', '1', '3'], 'deleted-sources': ['deleted-at', 'is-deleted', 'status'] },
      alter: moreIfDeleted((size) => size > 2),
    },
    'more-if-older-row-is-deleted': {
      sentence: 'hasMore asks whether the table has a row behind a full page, and does not leave out deleted rows.',
      // In a list of one instant, the last row need not be declared disposable.
      idle: {
        sources: ['0', '1', '3'],
        'created-at': ['all-equal'],
        'deleted-sources': ['deleted-at', 'is-deleted', 'status'],
      },
      alter: (rules) => {
        const deleted = new Set<string>();
        let [rows, start]: [readonly Item[], number] = [[], 0];
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          sources: (all) => {
            start = 0;
            return (rows = all);
          },
          pageStart: (place) => (start = place),
          hasMore: (end, total, size, request) =>
            rules.hasMore(end, total, size, request) ||
            (on('listDataSources')(request) && start + size === total && deleted.has(rows.at(-1)?.id ?? '')),
        };
      },
    },
    'more-counts-deleted-of-offsets': {
      sentence: 'hasMore compares the offset plus the limit with a total that includes deleted data sources.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        let [deleted, offset] = [0, 0];
        return {
          onDeleted: () => (deleted += 1),
          pageStart: (start) => (offset = start),
          hasMore: (end, total, size, request) =>
            rules.hasMore(end, total, size, request) ||
            (on('listDataSources')(request) && offset < total && offset + size < total + deleted),
        };
      },
    },
    'more-counts-removed-models': {
      sentence: 'hasMore is calculated from a total that includes the models that a cleanup job removed.',
      alter: (rules) => {
        const removed = new Set<string>();
        return {
          cleanupRemoves: (model, request) => {
            const isRemoved = rules.cleanupRemoves(model, request);
            if (isRemoved) removed.add(model.id);
            return isRemoved;
          },
          hasMore: (end, total, size, request) => {
            const isWhole = on('listModels')(request) && !isFiltered(request);
            return rules.hasMore(end, isWhole ? total + removed.size : total, size, request);
          },
        };
      },
    },
    'more-counts-deleted': {
      sentence: 'hasMore is calculated from a total that includes deleted data sources.',
      alter: (rules) => {
        const deleted = new Set<string>();
        return {
          deletedListed: (item, deletedAt, request) => {
            deleted.add(item.id);
            return rules.deletedListed(item, deletedAt, request);
          },
          hasMore: (end, total, size, request) =>
            rules.hasMore(end, on('listDataSources')(request) ? total + deleted.size : total, size, request),
        };
      },
    },
  },
});
