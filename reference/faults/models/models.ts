import { refusedAs, refusedWith, together } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { every, few, models, thirdPage } from '../shared/records.ts';
import { isFiltered } from '../../http/request.ts';
import { isSingle, on } from '../shared/requests.ts';
import { set, without, withoutNulls } from '../shared/values.ts';

export const modelFaults = faultsOf({
  'models.required-fields': {
    'model-without-grain': {
      sentence: 'The field grain is missing.',
      alter: models(every, (model) => without(model, 'grain')),
    },
    'model-nulls-dropped': {
      sentence: 'Fields whose value is null are missing.',
      idle: { nullable: ['set'] },
      alter: models(every, withoutNulls),
    },
    'model-id-renamed': {
      sentence: 'The ID is in the field _id, as in the database.',
      alter: models(every, ({ id = null, ...model }) => ({ _id: id, ...model })),
    },
  },
  'models.text-fields': {
    'reference-name-number': {
      sentence: 'referenceName is returned as a number.',
      alter: models(every, set({ referenceName: 7 })),
    },
    'model-description-null': {
      sentence: 'The description of one model on the third page is null.',
      alter: models(thirdPage, set({ description: null })),
    },
  },
  'models.date-times': {
    'model-created-epoch': {
      sentence: 'createdAt is a number of milliseconds.',
      alter: models(every, set({ createdAt: 1_761_989_415_250 })),
    },
    'single-model-created-epoch': {
      sentence: 'A page of one model comes from another serializer, which writes createdAt as a number.',
      alter: () => ({
        modelShown: (model, request) => (isSingle(request) ? { ...model, createdAt: 1_761_989_415_250 } : model),
      }),
    },
    'model-updated-month-13': {
      sentence: 'The month of updatedAt is off by one, so December is 13.',
      alter: models(few, set({ updatedAt: '2025-13-01T09:30:15.250Z' })),
    },
  },
  'models.verified': {
    'unverified-is-false': {
      sentence: 'verifiedAt of a model that was never verified is false.',
      idle: { nullable: ['set'] },
      alter: models((_place, model) => model['verifiedAt'] === null, set({ verifiedAt: false })),
    },
    'verifier-expanded': {
      sentence: 'verifiedByMemberId is an object that describes the member.',
      alter: models(
        (place, model) => few(place, model) || model['verifiedAt'] !== null,
        set({ verifiedByMemberId: { id: 'member_1', name: 'Ada' } }),
      ),
    },
  },
  'models.columns': {
    'no-columns-null': {
      sentence: 'columns of a model without columns is null.',
      alter: models(few, set({ columns: null })),
    },
    'column-example-dropped': {
      sentence: 'A column that was never sampled has no example.',
      alter: models(every, set({ columns: [{ name: 'a', type: 'unknown', nullable: true }] })),
    },
    'column-nullable-text': {
      sentence: 'nullable is "YES" or "NO", as in the information schema.',
      alter: models(thirdPage, set({ columns: [{ name: 'a', type: 'number', nullable: 'YES', example: 1 }] })),
    },
  },
  'models.column-type': {
    'column-type-sql': {
      sentence: 'The type of a column is its database type, such as VARCHAR.',
      alter: models(every, set({ columns: [{ name: 'a', type: 'VARCHAR', nullable: false, example: 'x' }] })),
    },
    'column-type-integer': {
      sentence: 'A column of integers has the type integer on one model.',
      alter: models(thirdPage, set({ columns: [{ name: 'a', type: 'integer', nullable: false, example: 1 }] })),
    },
  },
  'models.column-example': {
    'column-example-raw': {
      sentence: 'The example of an array column is an array.',
      alter: models(few, set({ columns: [{ name: 'a', type: 'array', nullable: false, example: [1, 2] }] })),
    },
    'column-samples-nested': {
      sentence: 'sampleValues of an object column contain objects.',
      alter: models(
        thirdPage,
        set({
          columns: [{ name: 'a', type: 'object', nullable: false, example: '{}', sampleValues: ['{}', { a: 1 }] }],
        }),
      ),
    },
  },
  'models.organization': {
    'model-of-nobody': {
      sentence: 'organizationId is empty.',
      alter: models(every, set({ organizationId: '' })),
    },
    'model-of-neighbour': {
      sentence: 'One model on the third page has the organizationId of another organization.',
      alter: models(thirdPage, set({ organizationId: 'org_neighbour' })),
    },
    'models-of-attached-have-account': {
      sentence:
        'After an attachment, the models of the organization have the ID of the billing account as organizationId.',
      alter: () => {
        const accountOf = new Map<string, string>();
        return {
          onAttached: (organizationId, { ids }) => void accountOf.set(organizationId, ids.accountId),
          modelShown: (model, { ids }) => ({
            ...model,
            organizationId: accountOf.get(ids.organizationId) ?? ids.organizationId,
          }),
        };
      },
    },
  },
  'models.filter-partition': {
    'whole-list-hides-unverified': {
      sentence: 'The list of models leaves out unverified models unless it is filtered.',
      idle: { nullable: ['set', 'null'] },
      alter: () => ({
        models: (all, request) =>
          isFiltered(request) ? all : all.filter(({ record }) => record['verifiedAt'] !== null),
      }),
    },
    'filter-hides-unverified': {
      sentence: 'A filtered list leaves out unverified models, because of an inner join.',
      idle: { nullable: ['set'] },
      alter: (rules) => ({
        filterMatches: (model, sourceId, request) =>
          rules.filterMatches(model, sourceId, request) && model.record['verifiedAt'] !== null,
      }),
    },
    'filter-with-extra-model': {
      sentence: 'One model that was imported without a data source matches every filter.',
      alter: (rules) => ({
        filterMatches: (model, sourceId, request) =>
          rules.filterMatches(model, sourceId, request) || model.record['referenceName'] === 'model_31',
      }),
    },
  },
  'models.unknown-organization': {
    'unknown-organization-empty': {
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
    'organization-is-a-pattern': {
      sentence: 'An organization is found with LIKE, so % matches any organization.',
      alter: () => ({ organizationId: (id, _request, all) => (id === '%' ? (all()[0] ?? id) : id) }),
    },
    'unknown-organization-403': {
      sentence: 'An organization that does not exist is answered 403.',
      alter: refusedWith(403, 'unknownOrganization'),
    },
  },
});
