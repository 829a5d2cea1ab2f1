import { expect, test } from 'vitest';
import { modelListSchema, modelSchema } from './model.ts';
import { sampleBodies } from './sample-bodies.ts';
import { schemaIssues } from './schema-issues.ts';

const column = { name: 'c', type: 'date', nullable: false, example: null };
const measure = { name: 'm', sql: 's' };
const relationship = { targetModelId: 'm', sourceColumn: 'a', targetColumn: 'b', cardinality: 'one_to_one' };
const warning = { code: 'default_time_column_cleared', message: '', field: 'sqlQuery' };
const times = (count: number, item: unknown) => Array.from({ length: count }, () => item);
const AT = '2026-03-04T05:06:07Z';

/** What one departs from the sample in, and what is reported: nothing, or the path and the two descriptions. */
const CASES: readonly [changed: Record<string, unknown>, ...issues: string[]][] = [
  [{}],
  [{ unknown: 1, constructor: 2, toString: null }],
  [{ description: '' }],
  [{ description: 'd'.repeat(10_000) }],
  [{ description: 'd'.repeat(10_001) }, 'description: at most 10000 characters, not 10001 characters'],
  [{ grain: '😀'.repeat(10_000) }],
  [{ grain: '😀'.repeat(10_001) }, 'grain: at most 10000 characters, not 10001 characters'],
  [{ usageGuidance: 'g'.repeat(10_000) }],
  [{ usageGuidance: 'g'.repeat(10_001) }, 'usageGuidance: at most 10000 characters, not 10001 characters'],
  [{ sqlQuery: 's'.repeat(20_000) }],
  [{ verifiedAt: null, verifiedByMemberId: null, defaultTimeColumn: null }],
  [{ verifiedAt: 5 }, 'verifiedAt: string or null, not 5'],
  [{ verifiedAt: 'today' }, 'verifiedAt: ISO 8601 date-time or null, not "today"'],
  [{ createdAt: '2026-03-04T05:06+0200' }],
  [{ createdAt: '2026-02-30T05:06:07Z' }, 'createdAt: ISO 8601 date-time, not "2026-02-30T05:06:07Z"'],
  [{ createdAt: null }, 'createdAt: string, not null'],
  [{ defaultTimeColumn: 'c'.repeat(256) }],
  [{ defaultTimeColumn: '' }, 'defaultTimeColumn: at least 1 character or null, not 0 characters'],
  [{ defaultTimeColumn: 'c'.repeat(257) }, 'defaultTimeColumn: at most 256 characters or null, not 257 characters'],
  [{ synonyms: times(20, '😀'.repeat(100)) }],
  [{ synonyms: times(21, 's') }, 'synonyms: at most 20 items, not 21 items'],
  [{ synonyms: ['s', ''] }, 'synonyms[1]: at least 1 character, not 0 characters'],
  [{ synonyms: ['😀'.repeat(101)] }, 'synonyms[0]: at most 100 characters, not 101 characters'],
  [{ synonyms: [null] }, 'synonyms[0]: string, not null'],
  [{ keyColumns: times(10, 'k'.repeat(256)) }],
  [{ keyColumns: times(11, 'k') }, 'keyColumns: at most 10 items, not 11 items'],
  [{ keyColumns: ['k'.repeat(257)] }, 'keyColumns[0]: at most 256 characters, not 257 characters'],
  [{ columns: [] }],
  [{ columns: times(1000, column) }],
  [{ columns: [{ ...column, sampleValues: ['a', 1.5, false, null] }] }],
  [{ columns: [{ ...column, synonyms: [] }] }],
  [{ columns: [{ ...column, synonyms: null }] }, 'columns[0].synonyms: array, not null'],
  [{ columns: [{ ...column, description: null }] }, 'columns[0].description: string, not null'],
  [{ columns: [{ ...column, sampleValues: null }] }, 'columns[0].sampleValues: array, not null'],
  [
    { columns: [{ ...column, sampleValues: [[]] }] },
    'columns[0].sampleValues[0]: string or number or boolean or null, not array of 0 items',
  ],
  [{ columns: [{ ...column, example: {} }] }, 'columns[0].example: string or number or boolean or null, not object'],
  [{ columns: [{ ...column, nullable: 'false' }] }, 'columns[0].nullable: boolean, not "false"'],
  [{ columns: [{ ...column, type: 'bigint' }] }],
  [
    { columns: [{ ...column, type: 'text' }] },
    'columns[0].type: "array" or "bigint" or "boolean" or "date" or "mixed" or "null" or "number" or "object" or "string" or "unknown", not "text"',
  ],
  [{ measures: times(50, measure) }],
  [{ measures: times(51, measure) }, 'measures: at most 50 items, not 51 items'],
  [{ segments: times(50, measure) }],
  [{ segments: times(51, measure) }, 'segments: at most 50 items, not 51 items'],
  [{ measures: [{ ...measure, name: `a${'_9'.repeat(49)}z` }] }],
  [
    { measures: [{ ...measure, name: 'a'.repeat(101) }] },
    'measures[0].name: at most 100 characters, not 101 characters',
  ],
  [{ measures: [{ ...measure, name: 'A' }] }, 'measures[0].name: text matching /^[a-z][a-z0-9_]*$/, not "A"'],
  [{ measures: [{ ...measure, name: '_a' }] }, 'measures[0].name: text matching /^[a-z][a-z0-9_]*$/, not "_a"'],
  [{ measures: [{ ...measure, name: 'a\n' }] }, 'measures[0].name: text matching /^[a-z][a-z0-9_]*$/, not "a\\n"'],
  [
    { measures: [{ ...measure, name: '' }] },
    'measures[0].name: text matching /^[a-z][a-z0-9_]*$/, not ""',
    'measures[0].name: at least 1 character, not 0 characters',
  ],
  [{ segments: [{ ...measure, sql: 's'.repeat(10_000) }] }],
  [{ segments: [{ ...measure, sql: '' }] }, 'segments[0].sql: at least 1 character, not 0 characters'],
  [{ segments: [{ name: 's' }] }, 'segments[0].sql: string, not absent'],
  [{ segments: [{ ...measure, synonyms: null }] }, 'segments[0].synonyms: array, not null'],
  [{ relationships: times(50, relationship) }],
  [{ relationships: times(51, relationship) }, 'relationships: at most 50 items, not 51 items'],
  [
    { relationships: [{ ...relationship, targetModelId: '' }] },
    'relationships[0].targetModelId: at least 1 character, not 0 characters',
  ],
  [
    { relationships: [{ ...relationship, cardinality: 'many_to_many' }] },
    'relationships[0].cardinality: "many_to_one" or "one_to_one" or "one_to_many", not "many_to_many"',
  ],
  [{ warnings: times(100, warning) }],
  [{ warnings: [{ ...warning, name: null }] }, 'warnings[0].name: string, not null'],
  [
    { warnings: [{ ...warning, field: 'grain' }] },
    'warnings[0].field: "sqlQuery" or "measures" or "segments" or "defaultTimeColumn", not "grain"',
  ],
  [{ createdAt: AT, updatedAt: 5, measures: {} }, 'updatedAt: string, not 5', 'measures: array, not object'],
];

test.each(CASES.map(([changed, ...issues]) => [JSON.stringify(changed).slice(0, 70), changed, issues] as const))(
  'a model with %s',
  (_title, changed, issues) => {
    expect(issuesOf({ ...sampleBodies.model(), ...changed })).toEqual(issues);
  },
);

test.each(Object.keys(sampleBodies.model()))('a model without %s is a violation of that field alone', (field) => {
  const body = Object.fromEntries(Object.entries(sampleBodies.model()).filter(([key]) => key !== field));
  expect(schemaIssues(modelSchema, body)).toMatchObject([{ path: field, received: 'absent' }]);
});

test('a model has the 21 fields of the specification', () => {
  expect(Object.keys(modelSchema.shape)).toHaveLength(21);
  expect(Object.keys(sampleBodies.model())).toEqual(Object.keys(modelSchema.shape));
});

test.each([
  [{ nextCursor: null, hasMore: false }, []],
  [{ nextCursor: '', hasMore: true, total: 7 }, []],
  [{ nextCursor: 5, hasMore: 'no' }, ['pagination.nextCursor', 'pagination.hasMore']],
  [{}, ['pagination.nextCursor', 'pagination.hasMore']],
  [null, ['pagination']],
  [undefined, ['pagination']],
])('a list of models with pagination %j', (pagination, paths) => {
  const body = { data: [sampleBodies.model()], pagination };
  expect(schemaIssues(modelListSchema, body).map(({ path }) => path)).toEqual(paths);
});

function issuesOf(model: unknown): string[] {
  return schemaIssues(modelSchema, model).map(
    ({ path, expected, received }) => `${path}: ${expected}, not ${received}`,
  );
}
