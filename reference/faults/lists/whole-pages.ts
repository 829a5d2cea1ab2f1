import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { isWholePage, limitOf } from '../shared/requests.ts';

/** Pages of 100 models give each model this field of the model before it. */
function oneOff(field: string): Fault['alter'] {
  return () => {
    let before: JsonObject | undefined;
    return {
      modelShown: (model, request, { index }) => {
        const value = index === 0 ? undefined : before?.[field];
        before = model;
        return value === undefined || !isWholePage(request) ? model : { ...model, [field]: value };
      },
    };
  };
}

/** Pages that read a part of all their models at once. */
export const wholePageFaults = faultsOf({
  'models.same-columns': {
    'columns-lost-deep-in': {
      sentence: 'Models that are shown after a cursor have no columns, because only the first page is read with them.',
      idle: { models: ['0', '1'], inference: ['for-each-answer'] },
      alter: () => ({ modelShown: (model, { query }) => (query.has('cursor') ? { ...model, columns: [] } : model) }),
    },
    'warnings-for-large-pages': {
      sentence: 'Warnings are computed for pages of more than 50 models only, because their code is newer.',
      idle: { models: ['0', '1', '3'], inference: ['for-each-answer'] },
      alter: () => ({
        modelShown: (model, request) => (limitOf(request) > 50 ? model : { ...model, warnings: [] }),
      }),
    },
  },
  'paging.same-records': {
    'names-one-off-in-whole-pages': {
      sentence: 'Pages of 100 models get their names by position, and the names are shifted by one.',
      idle: { models: ['0', '1'] },
      alter: oneOff('name'),
    },
    'measures-one-off-in-whole-pages': {
      sentence: 'Pages of 100 models load all measures in one query, and give each model those of the one before it.',
      idle: { models: ['0', '1'] },
      alter: oneOff('measures'),
    },
    'relationships-one-off-in-whole-pages': {
      sentence:
        'Pages of 100 models load all relationships in one query, and give each model those of the one before it.',
      idle: { models: ['0', '1'] },
      alter: oneOff('relationships'),
    },
    'ports-usual-with-cursor': {
      sentence: 'Pages with a cursor show the usual port of the dialect, whatever was chosen.',
      idle: { sources: ['0', '1'] },
      alter: () => ({
        sourceShown: (source, { query }) =>
          query.has('cursor') && typeof source['port'] === 'number' ? { ...source, port: 5432 } : source,
      }),
    },
    'lists-empty-without-limit': {
      sentence: 'Pages without a limit leave out the segments, synonyms and key columns, which another query reads.',
      idle: { models: ['0', '1'] },
      alter: () => ({
        modelShown: (model, { query }) =>
          query.has('limit') ? model : { ...model, segments: [], synonyms: [], keyColumns: [] },
      }),
    },
  },
});
