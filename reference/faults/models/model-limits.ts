import { expression, longestExpression, relationship, warning } from '../../data/model-parts.ts';
import { astral } from '../../data/texts.ts';
import type { Json } from '../../http/json.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { every, few, models, thirdPage } from '../shared/records.ts';
import { set } from '../shared/values.ts';

function many<T extends Json>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const column = { name: 'a', type: 'string', nullable: false, example: 'x' } as const;

/** Counts and lengths outside the limits of the specification. */
export const modelLimitFaults = faultsOf({
  'models.description': {
    'model-description-10001': {
      sentence: 'The description of a model has no maximum length.',
      alter: models(few, set({ description: 'd'.repeat(20_000) })),
    },
    'model-description-10001-astral': {
      sentence: 'The description of one model has 10001 characters of four bytes.',
      alter: models(thirdPage, set({ description: astral.repeat(10_001) })),
    },
  },
  'models.column-description': {
    'column-description-endless': {
      sentence: 'The description of a column has no maximum length.',
      alter: models(few, set({ columns: [{ ...column, description: 'd'.repeat(20_000) }] })),
    },
    'column-description-10001': {
      sentence: 'The description of one column has 10001 characters.',
      alter: models(thirdPage, set({ columns: [column, { ...column, name: 'b', description: 'd'.repeat(10_001) }] })),
    },
  },
  'models.column-synonyms': {
    'column-synonyms-21': {
      sentence: 'A column has 21 synonyms: > instead of >=.',
      alter: models(few, set({ columns: [{ ...column, synonyms: many(21, (index) => `s${index}`) }] })),
    },
    'column-synonym-empty': {
      sentence: 'A column has an empty synonym, from a trailing comma.',
      alter: models(thirdPage, set({ columns: [{ ...column, synonyms: ['a', ''] }] })),
    },
  },
  'models.measures': {
    'measures-endless': {
      sentence: 'A generated model has 200 measures.',
      alter: models(few, set({ measures: many(200, (index) => expression(`m${index}`, '1', false)) })),
    },
    'measures-51': {
      sentence: 'One model has 51 measures.',
      alter: models(thirdPage, set({ measures: many(51, (index) => expression(`m${index}`, '1', false)) })),
    },
  },
  'models.measure-name': {
    'measure-name-titled': {
      sentence: 'The name of a measure is its label.',
      alter: models(every, set({ measures: [expression('Total Revenue', '1', false)] })),
    },
    'measure-name-101': {
      sentence: 'One measure has a name of 101 characters.',
      alter: models(thirdPage, set({ measures: [expression('m'.repeat(101), '1', false)] })),
    },
  },
  'models.measure-text': {
    'measure-sql-empty': {
      sentence: 'A measure that is a draft has an empty sql.',
      alter: models(few, set({ measures: [expression('m', '', true)] })),
    },
    'measure-synonym-101': {
      sentence: 'A synonym of one measure has 101 characters of four bytes.',
      alter: models(thirdPage, set({ measures: [{ ...longestExpression('plain'), synonyms: [astral.repeat(101)] }] })),
    },
  },
  'models.segments': {
    'segments-endless': {
      sentence: 'A generated model has 200 segments.',
      alter: models(few, set({ segments: many(200, (index) => expression(`s${index}`, '1', false)) })),
    },
    'segments-51': {
      sentence: 'One model has 51 segments.',
      alter: models(thirdPage, set({ segments: many(51, (index) => expression(`s${index}`, '1', false)) })),
    },
  },
  'models.segment-name': {
    'segment-name-dashed': {
      sentence: 'The name of a segment contains hyphens, as its URL in the web app.',
      alter: models(every, set({ segments: [expression('last-30-days', '1', false)] })),
    },
    'segment-name-digit-first': {
      sentence: 'The name of one segment begins with a digit.',
      alter: models(thirdPage, set({ segments: [expression('30_days', '1', false)] })),
    },
  },
  'models.segment-text': {
    'segment-sql-null': {
      sentence: 'The sql of a segment of all rows is null.',
      alter: models(few, set({ segments: [{ name: 's', sql: null }] })),
    },
    'segment-sql-10001': {
      sentence: 'The sql of one segment has 10001 characters.',
      alter: models(thirdPage, set({ segments: [expression('s', 'x'.repeat(10_001), false)] })),
    },
  },
  'models.default-time-column': {
    'time-column-empty': {
      sentence: 'defaultTimeColumn is empty instead of null.',
      idle: { nullable: ['set'] },
      alter: models((_place, model) => model['defaultTimeColumn'] === null, set({ defaultTimeColumn: '' })),
    },
    'time-column-257': {
      sentence: 'The default time column of one model has 257 characters.',
      alter: models(thirdPage, set({ defaultTimeColumn: 'c'.repeat(257) })),
    },
  },
  'models.synonyms': {
    'synonyms-joined': {
      sentence: 'synonyms is one string, joined by commas.',
      alter: models(every, set({ synonyms: 'sales, turnover' })),
    },
    'synonyms-21': {
      sentence: 'One model has 21 synonyms.',
      alter: models(thirdPage, set({ synonyms: many(21, (index) => `s${index}`) })),
    },
  },
  'models.grain': {
    'grain-null': {
      sentence: 'grain is null if it was never set.',
      alter: models(few, set({ grain: null })),
    },
    'grain-10001': {
      sentence: 'The grain of one model has 10001 characters.',
      alter: models(thirdPage, set({ grain: 'g'.repeat(10_001) })),
    },
  },
  'models.key-columns': {
    'key-columns-11': {
      sentence: 'A model has 11 key columns.',
      alter: models(few, set({ keyColumns: many(11, (index) => `c${index}`) })),
    },
    'key-column-empty': {
      sentence: 'One model has an empty key column.',
      alter: models(thirdPage, set({ keyColumns: ['id', ''] })),
    },
  },
  'models.relationships': {
    'relationships-51': {
      sentence: 'A model has 51 relationships.',
      alter: models(few, set({ relationships: many(51, (index) => relationship('m', index)) })),
    },
    'relationship-without-target': {
      sentence: 'A relationship to a deleted model has an empty targetModelId.',
      alter: models(thirdPage, set({ relationships: [relationship('', 1)] })),
    },
  },
  'models.cardinality': {
    'cardinality-many-to-many': {
      sentence: 'The cardinality of a relationship is many_to_many.',
      alter: models(few, set({ relationships: [{ ...relationship('m', 0), cardinality: 'many_to_many' }] })),
    },
    'cardinality-upper-case': {
      sentence: 'The cardinality of one relationship is in capital letters.',
      alter: models(thirdPage, set({ relationships: [{ ...relationship('m', 0), cardinality: 'ONE_TO_ONE' }] })),
    },
  },
  'models.usage-guidance': {
    'guidance-lines': {
      sentence: 'usageGuidance is an array of lines.',
      alter: models(every, set({ usageGuidance: ['Use it.', 'With care.'] })),
    },
    'guidance-10001': {
      sentence: 'The usageGuidance of one model has 10001 characters.',
      alter: models(thirdPage, set({ usageGuidance: 'u'.repeat(10_001) })),
    },
  },
  'models.warnings': {
    'no-warnings-null': {
      sentence: 'warnings of a model without warnings is null.',
      alter: models(few, set({ warnings: null })),
    },
    'warning-name-number': {
      sentence: 'The name of one warning is a number, the index of the measure.',
      alter: models(thirdPage, set({ warnings: [{ ...warning(2), name: 3 }] })),
    },
  },
  'models.warning-code': {
    'warning-code-unknown': {
      sentence: 'The code of a warning is not in the specification.',
      alter: models(few, set({ warnings: [{ ...warning(0), code: 'model_is_slow' }] })),
    },
    'warning-field-columns': {
      sentence: 'The field of one warning is columns.',
      alter: models(thirdPage, set({ warnings: [{ ...warning(0), field: 'columns' }] })),
    },
  },
});
