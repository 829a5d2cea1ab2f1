import type { Fault } from '../../variation.ts';
import { withoutTwins } from '../shared/without-twins.ts';
import { every, few, models, thirdPage, without, withoutNulls } from '../shared/records.ts';

export const modelFaults: readonly Fault[] = [
  {
    name: 'model-without-grain',
    breaks: 'models.required-fields',
    sentence: 'The new field grain is not in the answer yet.',
    alter: models(every, (model) => without(model, 'grain')),
  },
  {
    name: 'model-nulls-dropped',
    breaks: 'models.required-fields',
    sentence: 'The serialiser leaves fields out that are null.',
    idle: { nullable: ['set'] },
    alter: models(every, withoutNulls),
  },
  {
    name: 'model-id-renamed',
    breaks: 'models.required-fields',
    sentence: 'A new serialiser names the ID _id, as the database does.',
    alter: models(every, ({ id = null, ...model }) => ({ _id: id, ...model })),
  },
  {
    name: 'reference-name-number',
    breaks: 'models.text-fields',
    sentence: 'referenceName is a number where it looks like one.',
    alter: models(every, (model) => ({ ...model, referenceName: 7 })),
  },
  {
    name: 'model-description-null',
    breaks: 'models.text-fields',
    sentence: 'A description that was never written is null on one model of the third page.',
    alter: models(thirdPage, (model) => ({ ...model, description: null })),
  },
  {
    name: 'model-created-epoch',
    breaks: 'models.date-times',
    sentence: 'createdAt is a number of milliseconds.',
    alter: models(every, (model) => ({ ...model, createdAt: 1_761_989_415_250 })),
  },
  {
    name: 'model-updated-month-13',
    breaks: 'models.date-times',
    sentence: 'The month of updatedAt is counted wrongly: December is 13.',
    alter: models(few, (model) => ({ ...model, updatedAt: '2025-13-01T09:30:15.250Z' })),
  },
  {
    name: 'unverified-is-false',
    breaks: 'models.verified',
    sentence: 'verifiedAt is false for a model that nobody verified.',
    idle: { nullable: ['set'] },
    alter: models(
      (_place, model) => model['verifiedAt'] === null,
      (model) => ({ ...model, verifiedAt: false }),
    ),
  },
  {
    name: 'verifier-expanded',
    breaks: 'models.verified',
    sentence: 'verifiedByMemberId is the whole member.',
    alter: models(
      (place, model) => few(place, model) || model['verifiedAt'] !== null,
      (model) => ({ ...model, verifiedByMemberId: { id: 'member_1', name: 'Ada' } }),
    ),
  },
  {
    name: 'no-columns-null',
    breaks: 'models.columns',
    sentence: 'A model without columns has null for them.',
    alter: models(few, (model) => ({ ...model, columns: null })),
  },
  {
    name: 'column-example-dropped',
    breaks: 'models.columns',
    sentence: 'A column that was never sampled has no example.',
    alter: models(every, (model) => ({ ...model, columns: [{ name: 'a', type: 'unknown', nullable: true }] })),
  },
  {
    name: 'column-nullable-text',
    breaks: 'models.columns',
    sentence: 'nullable is YES or NO, as the information schema has it.',
    alter: models(thirdPage, (model) => ({
      ...model,
      columns: [{ name: 'a', type: 'number', nullable: 'YES', example: 1 }],
    })),
  },
  {
    name: 'column-type-sql',
    breaks: 'models.column-type',
    sentence: 'The type of a column is the type of the database, such as VARCHAR.',
    alter: models(every, (model) => ({
      ...model,
      columns: [{ name: 'a', type: 'VARCHAR', nullable: false, example: 'x' }],
    })),
  },
  {
    name: 'column-type-integer',
    breaks: 'models.column-type',
    sentence: 'A column of whole numbers has the type integer, on one model.',
    alter: models(thirdPage, (model) => ({
      ...model,
      columns: [{ name: 'a', type: 'integer', nullable: false, example: 1 }],
    })),
  },
  {
    name: 'column-example-raw',
    breaks: 'models.column-example',
    sentence: 'The example of an array column is the array, not normalised.',
    alter: models(few, (model) => ({
      ...model,
      columns: [{ name: 'a', type: 'array', nullable: false, example: [1, 2] }],
    })),
  },
  {
    name: 'column-samples-nested',
    breaks: 'models.column-example',
    sentence: 'sampleValues of an object column hold objects.',
    alter: models(thirdPage, (model) => ({
      ...model,
      columns: [{ name: 'a', type: 'object', nullable: false, example: '{}', sampleValues: ['{}', { a: 1 }] }],
    })),
  },
  {
    name: 'model-of-nobody',
    breaks: 'models.organization',
    sentence: 'organizationId is empty.',
    alter: models(every, (model) => ({ ...model, organizationId: '' })),
  },
  {
    name: 'model-of-neighbour',
    breaks: 'models.organization',
    sentence: "One model of the third page names another organization: the join's alias is wrong.",
    alter: models(thirdPage, (model) => ({ ...model, organizationId: 'org_neighbour' })),
  },
  {
    name: 'filter-ignored',
    breaks: 'models.filter',
    sentence: 'databaseConnectionId is read from another name, and ignored.',
    alter: () => ({ readFilter: () => undefined }),
  },
  {
    name: 'filter-lost-after-page-one',
    breaks: 'models.filter',
    sentence: 'With a cursor the filter is forgotten.',
    alter: (rules) => ({
      readFilter: (text, cursor, request) =>
        cursor === undefined ? rules.readFilter(text, cursor, request) : undefined,
    }),
  },
  {
    name: 'filter-without-match-is-all',
    breaks: 'models.filter',
    sentence: 'A data source without models gives all models: an empty condition is left out.',
    alter: (rules) => {
      let empty = false;
      return {
        modelsOf: (own, foreign, request) => {
          const sourceId = request.query.get('databaseConnectionId')?.[0] ?? '';
          empty = !own.some((model) => rules.filterMatches(model, sourceId, request));
          return rules.modelsOf(own, foreign, request);
        },
        filterMatches: (model, sourceId, request) => empty || rules.filterMatches(model, sourceId, request),
      };
    },
  },
  {
    name: 'filter-of-unused-is-unknown',
    breaks: 'models.filter',
    sentence: 'The data source of a filter is looked up among those of the models: one without any does not exist.',
    alter: (rules) => ({ filterKnown: (where, request) => where !== 'unused' && rules.filterKnown(where, request) }),
  },
  {
    name: 'filter-ignores-case',
    breaks: 'models.filter',
    sentence: 'The filter compares IDs without regard to case, and shows the models of two data sources.',
    // The filter by what may be deleted is not tried: an earlier run may have deleted it.
    idle: { ...withoutTwins, 'disposable-sources': ['30'] },
    alter: () => ({ filterMatches: (model, sourceId) => model.sourceId.toLowerCase() === sourceId.toLowerCase() }),
  },
  {
    name: 'whole-list-hides-unverified',
    breaks: 'models.filter-partition',
    sentence: 'The list of models leaves out those that nobody has verified, unless it is filtered.',
    idle: { nullable: ['set', 'null'] },
    alter: (rules) => ({
      modelsOf: (own, foreign, request) => {
        const models = rules.modelsOf(own, foreign, request);
        return request.query.has('databaseConnectionId')
          ? models
          : models.filter(({ record }) => record['verifiedAt'] !== null);
      },
    }),
  },
  {
    name: 'filter-hides-unverified',
    breaks: 'models.filter-partition',
    sentence: 'Under a filter a model that nobody verified is missing, lost in an inner join.',
    idle: { nullable: ['set'] },
    alter: (rules) => ({
      filterMatches: (model, sourceId, request) =>
        rules.filterMatches(model, sourceId, request) && model.record['verifiedAt'] !== null,
    }),
  },
  {
    name: 'filter-with-extra-model',
    breaks: 'models.filter-partition',
    sentence: 'One model comes under every filter: it was imported without a data source of its own.',
    alter: (rules) => ({
      filterMatches: (model, sourceId, request) =>
        rules.filterMatches(model, sourceId, request) || model.record['referenceName'] === 'model_31',
    }),
  },
  {
    name: 'unknown-organization-empty',
    breaks: 'models.unknown-organization',
    sentence: 'An organization that does not exist has an empty list of models, 200.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unknownOrganization' && request.operation === 'listModels' ? 200 : rules.refusalStatus(kind, request),
      errorBody: (error, kind, request) =>
        kind === 'unknownOrganization' && request.operation === 'listModels'
          ? { data: [], pagination: { nextCursor: null, hasMore: false } }
          : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'unknown-organization-403',
    breaks: 'models.unknown-organization',
    sentence: 'An organization that does not exist is answered 403.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownOrganization' ? 403 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'unknown-filter-empty',
    breaks: 'models.unknown-data-source',
    sentence: 'A filter by a data source that does not exist gives an empty list, 200.',
    alter: () => ({ filterKnown: () => true }),
  },
  {
    name: 'unknown-filter-400',
    breaks: 'models.unknown-data-source',
    sentence: 'A filter by a data source that does not exist is a validation error, 400.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownFilter' ? 400 : rules.refusalStatus(kind, request)),
    }),
  },
];
