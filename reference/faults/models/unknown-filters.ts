import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor } from '../shared/requests.ts';

/** A filter that also finds the models of data sources whose IDs match the given one. */
function foundBy(matches: (id: string, given: string) => boolean): Fault['alter'] {
  return (rules) => {
    const known = new Map<string, ReadonlySet<string>>();
    return {
      models: (all, { ids }) => {
        known.set(ids.organizationId, new Set(all.map(({ sourceId }) => sourceId)));
        return all;
      },
      filterKnown: (where, request) => {
        const given = request.query.get('databaseConnectionId')?.[0] ?? '';
        const isFound = (id: string): boolean => matches(id, given);
        return (
          rules.filterKnown(where, request) || known.get(request.ids.organizationId)?.values().some(isFound) === true
        );
      },
      filterMatches: (model, sourceId) => matches(model.sourceId, sourceId),
    };
  };
}

const lowered = (id: string): string => id.toLowerCase();
const shortened = (id: string): string => id.slice(0, -1);

/** What a filter by a data source that does not exist finds. */
export const unknownFilterFaults = faultsOf({
  'models.unknown-data-source': {
    'unknown-filter-empty': {
      sentence: 'A filter by a data source that does not exist is answered 200 with an empty list.',
      alter: () => ({ filterKnown: () => true }),
    },
    'unknown-filter-empty-behind-cursor': {
      sentence: 'Behind a cursor, a filter by a data source that does not exist is answered 200 with an empty list.',
      alter: (rules) => ({
        filterKnown: (where, request) => hasCursor(request) || rules.filterKnown(where, request),
      }),
    },
    'filter-by-beginning': {
      sentence: 'The filter compares with LIKE and a % after the ID, so the beginning of an ID finds its models.',
      idle: {
        ids: ['number', 'per-organization', 'space', 'percent', 'unicode', 'reserved'],
        models: ['0'],
        sources: ['0'],
      },
      alter: foundBy((id, given) => id.startsWith(given)),
    },
    'filter-without-last-character': {
      sentence: 'The IDs of data sources are stored in a column that is one character too short.',
      idle: {
        ids: ['number', 'per-organization', 'space', 'percent', 'unicode', 'reserved'],
        models: ['0'],
        sources: ['0'],
      },
      alter: foundBy((id, given) => shortened(id) === shortened(given)),
    },
    'unknown-filter-empty-with-limit': {
      sentence: 'With a limit, a filter by a data source that does not exist is answered 200 with an empty list.',
      alter: (rules) => ({
        filterKnown: (where, request) => request.query.has('limit') || rules.filterKnown(where, request),
      }),
    },
    'filter-in-any-case': {
      sentence: 'The column of data source IDs is compared without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'], models: ['0'], sources: ['0'] },
      alter: foundBy((id, given) => lowered(id) === lowered(given)),
    },
    'filter-is-a-pattern': {
      sentence: 'The data source of a filter is found with LIKE, so % matches any data source.',
      alter: () => ({ filter: (given) => (given === '%' ? undefined : given) }),
    },
    'unknown-filter-400': {
      sentence: 'A filter by a data source that does not exist is answered 400 as a validation error.',
      alter: refusedWith(400, 'unknownFilter'),
    },
  },
});
