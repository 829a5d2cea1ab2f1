import { expression, longestExpression, relationship, warning } from '../../data/model-parts.ts';
import { astral } from '../../data/texts.ts';
import type { Json } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';
import { every, few, models, thirdPage } from '../shared/records.ts';
import { set } from '../shared/values.ts';

function many<T extends Json>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const column = { name: 'a', type: 'string', nullable: false, example: 'x' } as const;

/** Counts and lengths outside the limits of the specification. */
export const modelLimitFaults: readonly Fault[] = [
  {
    name: 'model-description-10001',
    breaks: 'models.description',
    sentence: 'The description of a model has no maximum length.',
    alter: models(few, set({ description: 'd'.repeat(20_000) })),
  },
  {
    name: 'model-description-10001-astral',
    breaks: 'models.description',
    sentence: 'The description of one model has 10001 characters of four bytes.',
    alter: models(thirdPage, set({ description: astral.repeat(10_001) })),
  },
  {
    name: 'column-description-endless',
    breaks: 'models.column-description',
    sentence: 'The description of a column has no maximum length.',
    alter: models(few, set({ columns: [{ ...column, description: 'd'.repeat(20_000) }] })),
  },
  {
    name: 'column-description-10001',
    breaks: 'models.column-description',
    sentence: 'The description of one column has 10001 characters.',
    alter: models(thirdPage, set({ columns: [column, { ...column, name: 'b', description: 'd'.repeat(10_001) }] })),
  },
  {
    name: 'column-synonyms-21',
    breaks: 'models.column-synonyms',
    sentence: 'A column has 21 synonyms: > instead of >=.',
    alter: models(few, set({ columns: [{ ...column, synonyms: many(21, (index) => `s${index}`) }] })),
  },
  {
    name: 'column-synonym-empty',
    breaks: 'models.column-synonyms',
    sentence: 'A column has an empty synonym, from a trailing comma.',
    alter: models(thirdPage, set({ columns: [{ ...column, synonyms: ['a', ''] }] })),
  },
  {
    name: 'measures-endless',
    breaks: 'models.measures',
    sentence: 'A generated model has 200 measures.',
    alter: models(few, set({ measures: many(200, (index) => expression(`m${index}`, '1', false)) })),
  },
  {
    name: 'measures-51',
    breaks: 'models.measures',
    sentence: 'One model has 51 measures.',
    alter: models(thirdPage, set({ measures: many(51, (index) => expression(`m${index}`, '1', false)) })),
  },
  {
    name: 'measure-name-titled',
    breaks: 'models.measure-name',
    sentence: 'The name of a measure is its label.',
    alter: models(every, set({ measures: [expression('Total Revenue', '1', false)] })),
  },
  {
    name: 'measure-name-101',
    breaks: 'models.measure-name',
    sentence: 'One measure has a name of 101 characters.',
    alter: models(thirdPage, set({ measures: [expression('m'.repeat(101), '1', false)] })),
  },
  {
    name: 'measure-sql-empty',
    breaks: 'models.measure-text',
    sentence: 'A measure that is a draft has an empty sql.',
    alter: models(few, set({ measures: [expression('m', '', true)] })),
  },
  {
    name: 'measure-synonym-101',
    breaks: 'models.measure-text',
    sentence: 'A synonym of one measure has 101 characters of four bytes.',
    alter: models(thirdPage, set({ measures: [{ ...longestExpression('plain'), synonyms: [astral.repeat(101)] }] })),
  },
  {
    name: 'segments-endless',
    breaks: 'models.segments',
    sentence: 'A generated model has 200 segments.',
    alter: models(few, set({ segments: many(200, (index) => expression(`s${index}`, '1', false)) })),
  },
  {
    name: 'segments-51',
    breaks: 'models.segments',
    sentence: 'One model has 51 segments.',
    alter: models(thirdPage, set({ segments: many(51, (index) => expression(`s${index}`, '1', false)) })),
  },
  {
    name: 'segment-name-dashed',
    breaks: 'models.segment-name',
    sentence: 'The name of a segment contains hyphens, as its URL in the web app.',
    alter: models(every, set({ segments: [expression('last-30-days', '1', false)] })),
  },
  {
    name: 'segment-name-digit-first',
    breaks: 'models.segment-name',
    sentence: 'The name of one segment begins with a digit.',
    alter: models(thirdPage, set({ segments: [expression('30_days', '1', false)] })),
  },
  {
    name: 'segment-sql-null',
    breaks: 'models.segment-text',
    sentence: 'The sql of a segment of all rows is null.',
    alter: models(few, set({ segments: [{ name: 's', sql: null }] })),
  },
  {
    name: 'segment-sql-10001',
    breaks: 'models.segment-text',
    sentence: 'The sql of one segment has 10001 characters.',
    alter: models(thirdPage, set({ segments: [expression('s', 'x'.repeat(10_001), false)] })),
  },
  {
    name: 'time-column-empty',
    breaks: 'models.default-time-column',
    sentence: 'defaultTimeColumn is empty instead of null.',
    idle: { nullable: ['set'] },
    alter: models((_place, model) => model['defaultTimeColumn'] === null, set({ defaultTimeColumn: '' })),
  },
  {
    name: 'time-column-257',
    breaks: 'models.default-time-column',
    sentence: 'The default time column of one model has 257 characters.',
    alter: models(thirdPage, set({ defaultTimeColumn: 'c'.repeat(257) })),
  },
  {
    name: 'synonyms-joined',
    breaks: 'models.synonyms',
    sentence: 'synonyms is one string, joined by commas.',
    alter: models(every, set({ synonyms: 'sales, turnover' })),
  },
  {
    name: 'synonyms-21',
    breaks: 'models.synonyms',
    sentence: 'One model has 21 synonyms.',
    alter: models(thirdPage, set({ synonyms: many(21, (index) => `s${index}`) })),
  },
  {
    name: 'grain-null',
    breaks: 'models.grain',
    sentence: 'grain is null if it was never set.',
    alter: models(few, set({ grain: null })),
  },
  {
    name: 'grain-10001',
    breaks: 'models.grain',
    sentence: 'The grain of one model has 10001 characters.',
    alter: models(thirdPage, set({ grain: 'g'.repeat(10_001) })),
  },
  {
    name: 'key-columns-11',
    breaks: 'models.key-columns',
    sentence: 'A model has 11 key columns.',
    alter: models(few, set({ keyColumns: many(11, (index) => `c${index}`) })),
  },
  {
    name: 'key-column-empty',
    breaks: 'models.key-columns',
    sentence: 'One model has an empty key column.',
    alter: models(thirdPage, set({ keyColumns: ['id', ''] })),
  },
  {
    name: 'relationships-51',
    breaks: 'models.relationships',
    sentence: 'A model has 51 relationships.',
    alter: models(few, set({ relationships: many(51, (index) => relationship('m', index)) })),
  },
  {
    name: 'relationship-without-target',
    breaks: 'models.relationships',
    sentence: 'A relationship to a deleted model has an empty targetModelId.',
    alter: models(thirdPage, set({ relationships: [relationship('', 1)] })),
  },
  {
    name: 'cardinality-many-to-many',
    breaks: 'models.cardinality',
    sentence: 'The cardinality of a relationship is many_to_many.',
    alter: models(few, set({ relationships: [{ ...relationship('m', 0), cardinality: 'many_to_many' }] })),
  },
  {
    name: 'cardinality-upper-case',
    breaks: 'models.cardinality',
    sentence: 'The cardinality of one relationship is in capital letters.',
    alter: models(thirdPage, set({ relationships: [{ ...relationship('m', 0), cardinality: 'ONE_TO_ONE' }] })),
  },
  {
    name: 'guidance-lines',
    breaks: 'models.usage-guidance',
    sentence: 'usageGuidance is an array of lines.',
    alter: models(every, set({ usageGuidance: ['Use it.', 'With care.'] })),
  },
  {
    name: 'guidance-10001',
    breaks: 'models.usage-guidance',
    sentence: 'The usageGuidance of one model has 10001 characters.',
    alter: models(thirdPage, set({ usageGuidance: 'u'.repeat(10_001) })),
  },
  {
    name: 'no-warnings-null',
    breaks: 'models.warnings',
    sentence: 'warnings of a model without warnings is null.',
    alter: models(few, set({ warnings: null })),
  },
  {
    name: 'warning-name-number',
    breaks: 'models.warnings',
    sentence: 'The name of one warning is a number, the index of the measure.',
    alter: models(thirdPage, set({ warnings: [{ ...warning(2), name: 3 }] })),
  },
  {
    name: 'warning-code-unknown',
    breaks: 'models.warning-code',
    sentence: 'The code of a warning is not in the specification.',
    alter: models(few, set({ warnings: [{ ...warning(0), code: 'model_is_slow' }] })),
  },
  {
    name: 'warning-field-columns',
    breaks: 'models.warning-code',
    sentence: 'The field of one warning is columns.',
    alter: models(thirdPage, set({ warnings: [{ ...warning(0), field: 'columns' }] })),
  },
];
