import { faultsOf } from '../shared/faults-of.ts';
import { withoutTwins } from '../shared/idle.ts';
import { hasCursor } from '../shared/requests.ts';

/** What a filter by a data source finds. */
export const filterFaults = faultsOf({
  'models.filter': {
    'filter-read-first': {
      sentence: 'Only the first parameter is read as the filter.',
      alter: () => ({
        filter: (id, { query }) => (query.keys().next().value === 'databaseConnectionId' ? id : undefined),
      }),
    },
    'filter-not-decoded': {
      sentence:
        'The ID of the filter is not percent-decoded, so an ID with an escape that it does not need is not found.',
      alter: () => ({
        filter: (id, { search }) => /(?<=(?:^|&)databaseConnectionId=)[^&]*/.exec(search)?.[0] ?? id,
      }),
    },
    'path-not-decoded': {
      sentence: 'The ID of an organization in a path is not percent-decoded.',
      alter: () => ({
        organizationId: (id, { path }) => /(?<=\/organizations\/)[^/]+/.exec(path)?.[0] ?? id,
      }),
    },
    'filter-needs-limit': {
      sentence: 'Without a limit, databaseConnectionId is ignored.',
      alter: (rules) => ({
        filterMatches: (model, sourceId, request) =>
          !request.query.has('limit') || rules.filterMatches(model, sourceId, request),
      }),
    },
    'filter-ignored': {
      sentence: 'databaseConnectionId is ignored.',
      alter: () => ({ filter: () => undefined }),
    },
    'filter-lost-after-page-one': {
      sentence: 'With a cursor, the filter is ignored.',
      alter: () => ({ filter: (given, request) => (hasCursor(request) ? undefined : given) }),
    },
    'filter-lost-after-page-two': {
      sentence: 'The first page of a walk remembers the filter for one more page, and later ones are not filtered.',
      idle: { models: ['0', '1', '3'] },
      alter: () => {
        const pages = new Map<string, number>();
        return {
          filter: (given, request) => {
            const walk = JSON.stringify([request.caller?.name, given]);
            const page = hasCursor(request) ? (pages.get(walk) ?? 0) + 1 : 0;
            pages.set(walk, page);
            return page < 2 ? given : undefined;
          },
        };
      },
    },
    'every-ninth-filter-ignored': {
      sentence: 'One of nine workers was started with an old handler, which has no filter.',
      idle: { models: ['0', '1', '3'] },
      alter: () => {
        let filters = 0;
        return {
          filter: (given) => {
            if (given !== undefined) filters += 1;
            return filters % 9 === 8 ? undefined : given;
          },
        };
      },
    },
    'filter-without-match-is-all': {
      sentence: 'A filter by a data source without models returns all models.',
      alter: (rules) => {
        let empty = false;
        return {
          models: (all, request) => {
            const sourceId = request.query.get('databaseConnectionId')?.[0] ?? '';
            empty = !all.some((model) => rules.filterMatches(model, sourceId, request));
            return all;
          },
          filterMatches: (model, sourceId, request) => empty || rules.filterMatches(model, sourceId, request),
        };
      },
    },
    'filter-of-unused-is-unknown': {
      sentence: 'A filter by a data source without models is answered 404.',
      alter: (rules) => ({ filterKnown: (where, request) => where !== 'unused' && rules.filterKnown(where, request) }),
    },
    'filter-ignores-case': {
      sentence: 'The filter compares IDs without regard to case, so it returns the models of two data sources.',
      // No check filters by a data source that may be deleted: an earlier run may have deleted it.
      idle: { ...withoutTwins, 'disposable-sources': ['30'] },
      alter: () => ({ filterMatches: (model, sourceId) => model.sourceId.toLowerCase() === sourceId.toLowerCase() }),
    },
  },
});
