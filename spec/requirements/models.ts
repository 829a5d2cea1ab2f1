import { must, should } from '../requirement.ts';

/** Sections 2.1 and 4.1: the fields of a model, and the list of models. */
export const models = [
  ...must('2.1', 'listModels', {
    'models.required-fields': 'Every model has all 21 fields.',
    'models.text-fields':
      'id, name, referenceName, description, sqlQuery, organizationId and databaseConnectionId are strings.',
    'models.date-times': 'createdAt and updatedAt are date-times.',
    'models.verified': 'verifiedAt is a date-time or null, and verifiedByMemberId a string or null.',
    'models.columns': 'columns is an array of columns, each with name, type, nullable and example.',
    'models.column-type': 'A column type is one of the ten that the specification names.',
    'models.column-example': 'example and sampleValues hold strings, numbers, booleans or null.',
    'models.column-description': 'A column description has at most 10000 characters.',
    'models.column-synonyms': 'A column has at most 20 synonyms of 1 to 100 characters.',
    'models.measures': 'A model has at most 50 measures.',
    'models.measure-name':
      'A measure name has 1 to 100 characters: a lower-case letter, then lower-case letters, digits and underscores.',
    'models.measure-text':
      'A measure has sql of 1 to 10000 characters, a description of at most 10000 and at most 20 synonyms of 1 to 100.',
    'models.segments': 'A model has at most 50 segments.',
    'models.segment-name':
      'A segment name has 1 to 100 characters: a lower-case letter, then lower-case letters, digits and underscores.',
    'models.segment-text':
      'A segment has sql of 1 to 10000 characters, a description of at most 10000 and at most 20 synonyms of 1 to 100.',
    'models.default-time-column': 'defaultTimeColumn is null or has 1 to 256 characters.',
    'models.synonyms': 'A model has at most 20 synonyms of 1 to 100 characters.',
  }),
  ...must('8', 'listModels', {
    'models.description': 'The description of a model has at most 10000 characters.',
  }),
  ...must('2.1', 'listModels', {
    'models.grain': 'grain has at most 10000 characters.',
    'models.key-columns': 'keyColumns has at most 10 items of 1 to 256 characters.',
    'models.relationships':
      'A model has at most 50 relationships, each with a target model and two columns of 1 to 256 characters.',
    'models.cardinality': 'A cardinality is many_to_one, one_to_one or one_to_many.',
    'models.usage-guidance': 'usageGuidance has at most 10000 characters.',
    'models.warnings': 'warnings is an array; a warning has a message and, where it has a name, a string.',
    'models.warning-code': 'A warning code and field are among those that the specification names.',
  }),
  ...must('4.1', 'listModels', {
    'models.success-status': 'A list of models is answered 200.',
    'models.organization': "Every model listed belongs to the path's organization.",
    'models.filter': 'databaseConnectionId gives exactly the models of that data source, on every page.',
    'models.filter-partition': 'The filters of all data sources together give the whole list, each model once.',
    'models.unknown-organization': 'An organization that does not exist is answered 404.',
    'models.unknown-data-source': 'A filter by a data source that does not exist is answered 404.',
  }),
  ...should('2.1', 'listModels', {
    'models.time-column-exists': 'defaultTimeColumn names one of the columns.',
    'models.key-columns-exist': 'keyColumns name columns.',
    'models.example-is-first-sample': 'example is the first of sampleValues.',
    'models.samples-distinct': 'sampleValues are distinct and not null.',
    'models.updated-after-created': 'updatedAt is not before createdAt.',
    'models.verified-after-created': 'verifiedAt is not before createdAt, but for a few seconds between clocks.',
    'models.verified-by': 'A model without verifiedAt has no verifiedByMemberId.',
    'models.same-columns': 'The columns and warnings of a model do not depend on the page that shows it.',
  }),
  ...must('2.1', 'listModels', {
    'models.latest-version': [
      "sqlQuery is the SQL of the model's latest version, and verification speaks of that SQL.",
      'No operation with a known path changes a model or shows its versions.',
    ],
    'models.inferred': [
      'Column type, nullable, example and samples come from sampled result values.',
      'A caller cannot see the rows that were sampled; what must agree among the fields is checked apart.',
    ],
  }),
];
