import type { Json, JsonObject } from '../http/json.ts';
import {
  column,
  columnTypes,
  expression,
  longestColumn,
  longestExpression,
  relationship,
  warning,
} from './model-parts.ts';
import type { DataOptions } from './options.ts';
import { distinctTexts, textOf } from './texts.ts';
import { timestamp } from './timestamp.ts';

export type ModelSeed = {
  readonly index: number;
  /** Models of the organization. */
  readonly total: number;
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  readonly createdAtMs: number;
  /** A model of the same organization to relate to. */
  readonly targetId: string;
};

type Alphabet = 'plain' | 'astral';

/** Whether an optional value is present on the model of that index. */
function present(how: 'mixed' | 'null' | 'set' | 'absent' | 'present', index: number): boolean {
  if (how === 'mixed') return index % 3 !== 0;
  return how === 'set' || how === 'present';
}

/** Models at the places in this table have the greatest and least counts and lengths. */
const special = new Map<number, (seed: ModelSeed, options: DataOptions) => JsonObject>([
  [3, () => ({ ...empty, description: '', usageGuidance: '', grain: '' })],
  [20, (seed) => fullest(seed)],
  [49, (seed) => ({ ...fullest(seed), measures: [], segments: [] })],
  [102, (seed) => everyKind(seed)],
  [125, () => ({ ...shortest })],
]);

const empty = {
  columns: [],
  measures: [],
  segments: [],
  synonyms: [],
  keyColumns: [],
  relationships: [],
  warnings: [],
  defaultTimeColumn: null,
} as const satisfies JsonObject;

const shortest = {
  columns: [column('a', 'date', true, { synonyms: ['a'], description: '' }), column('b', 'number', false)],
  measures: [expression('m', '1', true, { synonyms: ['m'], description: '' })],
  segments: [expression('s', '1', false)],
  synonyms: ['s'],
  keyColumns: ['a'],
  defaultTimeColumn: 'a',
  grain: 'g',
  usageGuidance: 'u',
  relationships: [],
} as const satisfies JsonObject;

function everyKind(seed: ModelSeed): JsonObject {
  return {
    columns: columnTypes.flatMap((type) => [column(`${type}_a`, type, true), column(`${type}_b`, type, false)]),
    relationships: [0, 1, 2].map((index) => relationship(seed.targetId, index)),
    warnings: [0, 1, 2, 3, 4].map(warning),
    defaultTimeColumn: 'date_a',
    keyColumns: ['number_a', 'string_a'],
  };
}

function fullest(seed: ModelSeed): JsonObject {
  return {
    columns: Array.from({ length: 10 }, (_, index) => column(`c${index}`, 'date', false)),
    measures: Array.from({ length: 50 }, (_, index) => expression(`m_${index}`, 'sum(c)', false)),
    segments: Array.from({ length: 50 }, (_, index) => expression(`s${index}`, 'c > 0', false)),
    relationships: Array.from({ length: 50 }, (_, index) => relationship(seed.targetId, index)),
    keyColumns: Array.from({ length: 10 }, (_, index) => `c${index}`),
    synonyms: distinctTexts(20, 4, 'plain'),
    defaultTimeColumn: 'c0',
  };
}

function longest(seed: ModelSeed, alphabet: Alphabet): JsonObject {
  const name = textOf(256, alphabet);
  return {
    columns: [longestColumn(name, alphabet)],
    measures: [longestExpression(alphabet)],
    segments: [longestExpression(alphabet)],
    synonyms: distinctTexts(20, 100, alphabet),
    description: textOf(10_000, alphabet),
    grain: textOf(10_000, alphabet),
    usageGuidance: textOf(10_000, alphabet),
    defaultTimeColumn: name,
    keyColumns: [name],
    relationships: [{ ...relationship(seed.targetId, 0), sourceColumn: name, targetColumn: name }],
  };
}

/** The places in short lists: a single model has the longest texts, the first of two has some of them. */
function greatest(seed: ModelSeed, { texts }: DataOptions): JsonObject | undefined {
  if (texts === 'short' || seed.total > 2) return undefined;
  if (seed.total === 1) return longest(seed, texts === 'long-astral' ? 'astral' : 'plain');
  return seed.index === 0 ? { grain: textOf(10_000, 'astral'), synonyms: distinctTexts(20, 100, 'astral') } : undefined;
}

function ordinary(seed: ModelSeed, whole: boolean): JsonObject {
  const type = columnTypes[seed.index % columnTypes.length] ?? 'string';
  return {
    columns: [column('id', type, whole && seed.index % 5 === 0), column('day', 'date', false)],
    measures: seed.index % 4 === 0 ? [expression('total', 'count(*)', whole)] : [],
    segments: seed.index % 7 === 0 ? [expression('recent', 'day > 1', whole)] : [],
    synonyms: seed.index % 9 === 0 ? [`alias ${seed.index}`] : [],
    grain: 'one row',
    keyColumns: ['id'],
    relationships: seed.index % 10 === 0 ? [relationship(seed.targetId, seed.index / 10)] : [],
    usageGuidance: '',
    warnings: seed.index % 11 === 0 ? [warning(seed.index)] : [],
  };
}

function extraFields(options: DataOptions): JsonObject {
  if (options.extraFields === 'none') return {};
  const scalars = { xVersion: 3, xLabel: 'internal', archived: false };
  return options.extraFields === 'scalars' ? scalars : { ...scalars, xMeta: { tags: ['a', null], depth: { b: [] } } };
}

/** The record of one model. It depends on its place, so every case is at the same place for every seed. */
export function modelRecord(seed: ModelSeed, options: DataOptions): JsonObject {
  const { index, createdAtMs } = seed;
  const set = present(options.nullable, index);
  const verifiedAt: Json = set ? timestamp(options.timestamps, createdAtMs + 30_000) : null;
  const boundaries = options.texts === 'boundaries' ? special.get(index)?.(seed, options) : undefined;
  return {
    id: seed.id,
    createdAt: timestamp(options.timestamps, createdAtMs),
    updatedAt: timestamp(options.timestamps, createdAtMs + (index % 2) * 60_000),
    name: `Model ${index}`,
    referenceName: `model_${index}`,
    description: index % 13 === 0 ? 'Größe — 数据 <b>&amp;</b> "q" \\ \u2028' : '',
    sqlQuery: 'select 1',
    organizationId: seed.organizationId,
    databaseConnectionId: seed.sourceId,
    verifiedAt,
    verifiedByMemberId: set ? `member_${index % 5}` : null,
    defaultTimeColumn: set ? 'day' : null,
    ...ordinary(seed, present(options.optional, index)),
    ...boundaries,
    ...greatest(seed, options),
    ...extraFields(options),
    ...(options.nullable === 'null' ? { defaultTimeColumn: null, verifiedAt: null, verifiedByMemberId: null } : {}),
  };
}
