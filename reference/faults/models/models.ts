import type { Fault } from '../../variation.ts';
import { refusedAs, refusedWith, together } from '../shared/alterations.ts';
import { withoutTwins } from '../shared/idle.ts';
import { every, few, models, thirdPage } from '../shared/records.ts';
import { hasCursor, isFiltered, on } from '../shared/requests.ts';
import { set, without, withoutNulls } from '../shared/values.ts';

export const modelFaults: readonly Fault[] = [
  {
    name: 'model-without-grain',
    breaks: 'models.required-fields',
    sentence: 'The field grain is missing.',
    alter: models(every, (model) => without(model, 'grain')),
  },
  {
    name: 'model-nulls-dropped',
    breaks: 'models.required-fields',
    sentence: 'Fields whose value is null are missing.',
    idle: { nullable: ['set'] },
    alter: models(every, withoutNulls),
  },
  {
    name: 'model-id-renamed',
    breaks: 'models.required-fields',
    sentence: 'The ID is in the field _id, as in the database.',
    alter: models(every, ({ id = null, ...model }) => ({ _id: id, ...model })),
  },
  {
    name: 'reference-name-number',
    breaks: 'models.text-fields',
    sentence: 'referenceName is returned as a number.',
    alter: models(every, set({ referenceName: 7 })),
  },
  {
    name: 'model-description-null',
    breaks: 'models.text-fields',
    sentence: 'The description of one model on the third page is null.',
    alter: models(thirdPage, set({ description: null })),
  },
  {
    name: 'model-created-epoch',
    breaks: 'models.date-times',
    sentence: 'createdAt is a number of milliseconds.',
    alter: models(every, set({ createdAt: 1_761_989_415_250 })),
  },
  {
    name: 'model-updated-month-13',
    breaks: 'models.date-times',
    sentence: 'The month of updatedAt is off by one, so December is 13.',
    alter: models(few, set({ updatedAt: '2025-13-01T09:30:15.250Z' })),
  },
  {
    name: 'unverified-is-false',
    breaks: 'models.verified',
    sentence: 'verifiedAt of a model that was never verified is false.',
    idle: { nullable: ['set'] },
    alter: models((_place, model) => model['verifiedAt'] === null, set({ verifiedAt: false })),
  },
  {
    name: 'verifier-expanded',
    breaks: 'models.verified',
    sentence: 'verifiedByMemberId is an object that describes the member.',
    alter: models(
      (place, model) => few(place, model) || model['verifiedAt'] !== null,
      set({ verifiedByMemberId: { id: 'member_1', name: 'Ada' } }),
    ),
  },
  {
    name: 'no-columns-null',
    breaks: 'models.columns',
    sentence: 'columns of a model without columns is null.',
    alter: models(few, set({ columns: null })),
  },
  {
    name: 'column-example-dropped',
    breaks: 'models.columns',
    sentence: 'A column that was never sampled has no example.',
    alter: models(every, set({ columns: [{ name: 'a', type: 'unknown', nullable: true }] })),
  },
  {
    name: 'column-nullable-text',
    breaks: 'models.columns',
    sentence: 'nullable is "YES" or "NO", as in the information schema.',
    alter: models(thirdPage, set({ columns: [{ name: 'a', type: 'number', nullable: 'YES', example: 1 }] })),
  },
  {
    name: 'column-type-sql',
    breaks: 'models.column-type',
    sentence: 'The type of a column is its database type, such as VARCHAR.',
    alter: models(every, set({ columns: [{ name: 'a', type: 'VARCHAR', nullable: false, example: 'x' }] })),
  },
  {
    name: 'column-type-integer',
    breaks: 'models.column-type',
    sentence: 'A column of integers has the type integer on one model.',
    alter: models(thirdPage, set({ columns: [{ name: 'a', type: 'integer', nullable: false, example: 1 }] })),
  },
  {
    name: 'column-example-raw',
    breaks: 'models.column-example',
    sentence: 'The example of an array column is an array.',
    alter: models(few, set({ columns: [{ name: 'a', type: 'array', nullable: false, example: [1, 2] }] })),
  },
  {
    name: 'column-samples-nested',
    breaks: 'models.column-example',
    sentence: 'sampleValues of an object column contain objects.',
    alter: models(
      thirdPage,
      set({ columns: [{ name: 'a', type: 'object', nullable: false, example: '{}', sampleValues: ['{}', { a: 1 }] }] }),
    ),
  },
  {
    name: 'model-of-nobody',
    breaks: 'models.organization',
    sentence: 'organizationId is empty.',
    alter: models(every, set({ organizationId: '' })),
  },
  {
    name: 'model-of-neighbour',
    breaks: 'models.organization',
    sentence: 'One model on the third page has the organizationId of another organization.',
    alter: models(thirdPage, set({ organizationId: 'org_neighbour' })),
  },
  {
    name: 'filter-ignored',
    breaks: 'models.filter',
    sentence: 'databaseConnectionId is ignored.',
    alter: () => ({ filter: () => undefined }),
  },
  {
    name: 'filter-lost-after-page-one',
    breaks: 'models.filter',
    sentence: 'With a cursor, the filter is ignored.',
    alter: () => ({ filter: (given, request) => (hasCursor(request) ? undefined : given) }),
  },
  {
    name: 'filter-without-match-is-all',
    breaks: 'models.filter',
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
  {
    name: 'filter-of-unused-is-unknown',
    breaks: 'models.filter',
    sentence: 'A filter by a data source without models is answered 404.',
    alter: (rules) => ({ filterKnown: (where, request) => where !== 'unused' && rules.filterKnown(where, request) }),
  },
  {
    name: 'filter-ignores-case',
    breaks: 'models.filter',
    sentence: 'The filter compares IDs without regard to case, so it returns the models of two data sources.',
    // No check filters by a data source that may be deleted: an earlier run may have deleted it.
    idle: { ...withoutTwins, 'disposable-sources': ['30'] },
    alter: () => ({ filterMatches: (model, sourceId) => model.sourceId.toLowerCase() === sourceId.toLowerCase() }),
  },
  {
    name: 'whole-list-hides-unverified',
    breaks: 'models.filter-partition',
    sentence: 'The list of models leaves out unverified models unless it is filtered.',
    idle: { nullable: ['set', 'null'] },
    alter: () => ({
      models: (all, request) => (isFiltered(request) ? all : all.filter(({ record }) => record['verifiedAt'] !== null)),
    }),
  },
  {
    name: 'filter-hides-unverified',
    breaks: 'models.filter-partition',
    sentence: 'A filtered list leaves out unverified models, because of an inner join.',
    idle: { nullable: ['set'] },
    alter: (rules) => ({
      filterMatches: (model, sourceId, request) =>
        rules.filterMatches(model, sourceId, request) && model.record['verifiedAt'] !== null,
    }),
  },
  {
    name: 'filter-with-extra-model',
    breaks: 'models.filter-partition',
    sentence: 'One model that was imported without a data source matches every filter.',
    alter: (rules) => ({
      filterMatches: (model, sourceId, request) =>
        rules.filterMatches(model, sourceId, request) || model.record['referenceName'] === 'model_31',
    }),
  },
  {
    name: 'unknown-organization-empty',
    breaks: 'models.unknown-organization',
    sentence: 'Listing the models of an organization that does not exist is answered 200 with an empty list.',
    alter: together(
      refusedWith(200, 'unknownOrganization', on('listModels')),
      refusedAs(
        () => ({ data: [], pagination: { nextCursor: null, hasMore: false } }),
        'unknownOrganization',
        on('listModels'),
      ),
    ),
  },
  {
    name: 'unknown-organization-403',
    breaks: 'models.unknown-organization',
    sentence: 'An organization that does not exist is answered 403.',
    alter: refusedWith(403, 'unknownOrganization'),
  },
  {
    name: 'unknown-filter-empty',
    breaks: 'models.unknown-data-source',
    sentence: 'A filter by a data source that does not exist is answered 200 with an empty list.',
    alter: () => ({ filterKnown: () => true }),
  },
  {
    name: 'unknown-filter-400',
    breaks: 'models.unknown-data-source',
    sentence: 'A filter by a data source that does not exist is answered 400 as a validation error.',
    alter: refusedWith(400, 'unknownFilter'),
  },
];
