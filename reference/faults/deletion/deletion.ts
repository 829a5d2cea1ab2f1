import { refusedWith, undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { isFiltered } from '../../http/request.ts';
import { hasCursor, isSingle, isWholePage, on } from '../shared/requests.ts';

/** How long a replica is busy with a request, in milliseconds. */
const busyMs = 1;

export const deletionFaults = faultsOf({
  'delete.gone-or-marked': {
    'deletion-forgotten': {
      sentence: 'A deletion is answered with success but does nothing.',
      alter: () => ({ deletes: () => [] }),
    },
    'deleted-but-flag-false': {
      sentence:
        'Deleted data sources are listed with the isDeleted that they had when the record was cached, which is false.',
      alter: () => ({ deletedListed: () => true, deletedMark: (source) => ({ ...source, isDeleted: false }) }),
    },
    'deletion-by-others-forgotten': {
      sentence:
        'A deletion by another admin than the creator of a data source is answered with success but does nothing.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: () => ({ deletes: (deleted, { caller }) => (caller?.name === 'alice' ? deleted : []) }),
    },
    'one-of-four-deletions-forgotten': {
      sentence: 'One of four workers writes deletions to a database that is never read.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        let deletions = 0;
        return {
          deletes: (deleted) => {
            deletions += 1;
            return deletions % 4 === 2 ? [] : deleted;
          },
        };
      },
    },
    'deletion-after-denial-forgotten': {
      sentence:
        'A denied deletion is stored with the request, so the deletion by an admin that follows is mistaken for one already done.',
      alter: () => {
        const denied = new Set<string>();
        return {
          onRefused: ({ kind }, request) => {
            if (kind === 'denied' && on('deleteDataSource')(request)) denied.add(request.ids.sourceId);
          },
          deletes: (deleted, { ids }) => (denied.has(ids.sourceId) ? [] : deleted),
        };
      },
    },
    'deletion-undone-by-sync': {
      sentence: 'The next synchronisation, two seconds later, restores a deleted data source.',
      idle: { 'server-time': ['hour-ahead'] }, // The mark names the time of the deletion.
      alter: undeleted((_id, { at }, deletedAt) => at - deletedAt >= 2000),
    },
    'replica-missed-deletion': {
      sentence: 'A second replica, used while the first one is busy, never receives deletions.',
      alter: (rules) => {
        let busy = { at: Number.NaN, turn: 0 };
        return undeleted((_id, { at, turn }) => {
          if (!(at - busy.at < busyMs)) busy = { at, turn };
          return turn !== busy.turn;
        })(rules);
      },
    },
    'deleter-keeps-the-old-list': {
      sentence:
        'The caller who deletes a data source keeps seeing it, because the cache of lists is kept for each session.',
      alter: (rules) => {
        const deleters = new Map<string, string>();
        return {
          onDeleted: ({ id }, { caller }) => void deleters.set(id, caller?.name ?? ''),
          ...undeleted((id, { caller }) => caller?.name === deleters.get(id))(rules),
        };
      },
    },
    'deleted-on-pages-of-one': {
      sentence: 'A page of one item is read with a query of its own, which leaves out no deleted data sources.',
      alter: undeleted((_id, request) => isSingle(request)),
    },
    'second-deletion-restores': {
      sentence: 'A deletion inverts the mark, so deleting a data source again restores it.',
      alter: (rules) => {
        const restored = new Set<string>();
        return {
          secondDelete: (request) => {
            restored.add(request.ids.sourceId);
            return rules.secondDelete(request);
          },
          ...undeleted((id) => restored.has(id))(rules),
        };
      },
    },
    'filter-restores-deleted': {
      sentence: 'A filter by a deleted data source restores it: first or create, with the deleted ones.',
      alter: (rules) => {
        const restored = new Set<string>();
        return {
          onDeleted: ({ id }) => void restored.delete(id),
          filter: (given) => {
            if (given !== undefined) restored.add(given);
            return given;
          },
          secondDelete: (request) => {
            restored.delete(request.ids.sourceId);
            return rules.secondDelete(request);
          },
          ...undeleted((id) => restored.has(id))(rules),
        };
      },
    },
    'deleted-in-whole-pages': {
      sentence: 'Pages of 100 items come from an export, which shows deleted data sources without a mark.',
      alter: undeleted((_id, request) => isWholePage(request)),
    },
    'deletions-of-one-organization': {
      sentence:
        'The deleted IDs are read once, for the first organization that deletes one; elsewhere they are still listed.',
      alter: () => {
        let first: string | undefined;
        return {
          deletes: (marked, { ids }) => {
            first ??= ids.organizationId;
            return ids.organizationId === first ? marked : [];
          },
        };
      },
    },
    'every-other-deletion-lost': {
      sentence:
        'Every other deletion is answered with success but does nothing, because its transaction is not committed.',
      alter: () => {
        let count = 0;
        return {
          deletes: (marked) => {
            count += 1;
            return count % 2 === 0 ? [] : marked;
          },
        };
      },
    },
    'deleted-back-on-later-pages': {
      sentence: 'Pages after the first still list deleted data sources, without a mark.',
      alter: undeleted((_id, request) => hasCursor(request)),
    },
  },
  'delete.unknown': {
    'unknown-deletion-pretended': {
      sentence: 'Deleting a data source that does not exist is answered as a success.',
      alter: (rules) => ({
        refusalStatus: (kind, request) =>
          kind === 'unknownSource' ? rules.deleteStatus(request) : rules.refusalStatus(kind, request),
        errorBody: (error, kind, request) =>
          kind === 'unknownSource'
            ? rules.deleteAnswer({ id: request.ids.sourceId }, request)
            : rules.errorBody(error, kind, request),
      }),
    },
    'unknown-deletion-200': {
      sentence: 'Deleting a data source that does not exist is answered 200 with an error in the body.',
      alter: refusedWith(200, 'unknownSource'),
    },
  },
  'delete.models-removed': {
    'models-outlive-their-source': {
      sentence: 'The cleanup job never runs.',
      alter: () => ({ cleanupRemoves: () => false }),
    },
    'models-filled-in-again': {
      sentence: 'Eight seconds after a deletion, a job fills in the models that seem to be missing.',
      idle: { cleanup: ['minutes', 'never'] },
      alter: (rules) => {
        const deletedAt = new Map<string, number>();
        return {
          onDeleted: ({ id }, { at }) => void deletedAt.set(id, at),
          cleanupRemoves: (model, request) =>
            request.at < (deletedAt.get(model.sourceId) ?? request.at) + 8000 && rules.cleanupRemoves(model, request),
        };
      },
    },
    'second-deletion-returns-models': {
      sentence: 'Deleting a data source again clears the list of what its cleanup job removed.',
      alter: (rules) => {
        const again = new Set<string>();
        return {
          secondDelete: (request) => {
            again.add(request.ids.sourceId);
            return rules.secondDelete(request);
          },
          cleanupRemoves: (model, request) => !again.has(model.sourceId) && rules.cleanupRemoves(model, request),
        };
      },
    },
    'filter-finds-what-was-cleaned-up': {
      sentence: 'The models of a deleted data source are hidden from the whole list, but the filter still finds them.',
      alter: (rules) => ({
        filterKnown: (where, request) => where === 'deleted' || rules.filterKnown(where, request),
        cleanupRemoves: (model, request) => !isFiltered(request) && rules.cleanupRemoves(model, request),
      }),
    },
  },
  'delete.unknown-no-5xx': {
    'unknown-deletion-500': {
      sentence: 'Deleting a data source that does not exist causes an exception.',
      alter: refusedWith(500, 'unknownSource'),
    },
  },
  'delete.twice-no-5xx': {
    'second-deletion-500': {
      sentence: 'The second deletion of a data source causes an exception.',
      alter: (rules) => ({ secondDelete: () => 'refuse', ...refusedWith(500, 'alreadyDeleted')(rules) }),
    },
  },
});
