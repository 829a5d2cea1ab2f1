import type { Json, JsonObject } from '../http/json.ts';
import { distinctTexts, textOf } from './texts.ts';

const examples = {
  array: '[1,2]',
  bigint: '9007199254740993',
  boolean: true,
  date: '2025-03-01T00:00:00.000Z',
  mixed: 'a',
  null: null,
  number: -0.5,
  object: '{"a":1}',
  string: 'Zürich',
  unknown: null,
} as const satisfies Readonly<Record<string, Json>>;

const samples = {
  array: ['[1,2]', '[]'],
  bigint: ['9007199254740993'],
  boolean: [true, false],
  date: ['2025-03-01T00:00:00.000Z'],
  mixed: ['a', 1, true],
  null: [],
  number: [-0.5, 0, 1e21],
  object: ['{"a":1}'],
  string: ['Zürich', '', '東京'],
  unknown: [],
} as const satisfies Readonly<Record<keyof typeof examples, readonly Json[]>>;

export type ColumnType = keyof typeof examples;

export const columnTypes: readonly ColumnType[] = [
  'array',
  'bigint',
  'boolean',
  'date',
  'mixed',
  'null',
  'number',
  'object',
  'string',
  'unknown',
];

export const cardinalities = ['many_to_one', 'one_to_one', 'one_to_many'] as const;

export const warningCodes = [
  'base_sql_contains_group_by',
  'default_time_column_cleared',
  'measure_may_not_aggregate',
  'semantic_expression_may_be_stale',
] as const;

export const warningFields = ['sqlQuery', 'measures', 'segments', 'defaultTimeColumn'] as const;

/** A column with only its required fields, or with all fields. */
export function column(name: string, type: ColumnType, whole: boolean, extra: JsonObject = {}): JsonObject {
  const required = { name, type, nullable: examples[type] === null, example: examples[type] };
  if (!whole) return { ...required, ...extra };
  return {
    ...required,
    description: `The ${name}.`,
    synonyms: [`${name} alias`],
    sampleValues: samples[type],
    ...extra,
  };
}

/** A measure or segment with only its required fields, or with all fields. */
export function expression(name: string, sql: string, whole: boolean, extra: JsonObject = {}): JsonObject {
  if (!whole) return { name, sql, ...extra };
  return { name, sql, description: `Computes ${name}.`, synonyms: [], ...extra };
}

export function relationship(targetModelId: string, index: number): JsonObject {
  const cardinality = cardinalities[index % cardinalities.length] ?? 'one_to_one';
  return { targetModelId, sourceColumn: 'id', targetColumn: `c${index}`, cardinality };
}

export function warning(index: number): JsonObject {
  const code = warningCodes[index % warningCodes.length] ?? 'measure_may_not_aggregate';
  const field = warningFields[index % warningFields.length] ?? 'measures';
  const required = { code, message: `Look at ${field}.`, field };
  return index % 2 === 0 ? required : { ...required, name: 'revenue' };
}

/** An expression with every field at its greatest length. */
export function longestExpression(alphabet: 'plain' | 'astral'): JsonObject {
  return {
    name: 'm'.repeat(97) + '_09',
    sql: textOf(10_000, alphabet),
    description: textOf(10_000, alphabet),
    synonyms: distinctTexts(20, 100, alphabet),
  };
}

/** A column with every bounded field at its greatest length. */
export function longestColumn(name: string, alphabet: 'plain' | 'astral'): JsonObject {
  return column(name, 'string', true, {
    description: textOf(10_000, alphabet),
    synonyms: distinctTexts(20, 100, alphabet),
  });
}
