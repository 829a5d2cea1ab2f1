import { z } from 'zod';
import { listOf } from './pagination.ts';
import { boundedText, dateTime } from './primitives.ts';

const longText = boundedText({ max: 10_000 });
const sql = boundedText({ min: 1, max: 10_000 });
const columnName = boundedText({ min: 1, max: 256 });
const synonyms = z.array(boundedText({ min: 1, max: 100 })).max(20);
const sampledValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Section 2.1, Column. */
export const columnSchema = z.looseObject({
  name: z.string(),
  description: longText.optional(),
  synonyms: synonyms.optional(),
  type: z.enum(['array', 'bigint', 'boolean', 'date', 'mixed', 'null', 'number', 'object', 'string', 'unknown']),
  nullable: z.boolean(),
  example: sampledValue,
  sampleValues: z.array(sampledValue).optional(),
});

/** Section 2.1, Measure and Segment: one shape. */
export const expressionSchema = z.looseObject({
  name: boundedText({ min: 1, max: 100, pattern: /^[a-z][a-z0-9_]*$/ }),
  sql,
  description: longText.optional(),
  synonyms: synonyms.optional().meta({ default: [] }),
});

/** Section 2.1, Relationship. */
export const relationshipSchema = z.looseObject({
  targetModelId: z.string().min(1),
  sourceColumn: columnName,
  targetColumn: columnName,
  cardinality: z.enum(['many_to_one', 'one_to_one', 'one_to_many']),
});

/** Section 2.1, Warning. */
export const warningSchema = z.looseObject({
  code: z.enum([
    'base_sql_contains_group_by',
    'default_time_column_cleared',
    'measure_may_not_aggregate',
    'semantic_expression_may_be_stale',
  ]),
  message: z.string(),
  field: z.enum(['sqlQuery', 'measures', 'segments', 'defaultTimeColumn']),
  name: z.string().optional(),
});

/** Section 2.1, all 21 fields required; the limit of `description` is the one of section 8. */
export const modelSchema = z.looseObject({
  id: z.string(),
  createdAt: dateTime,
  updatedAt: dateTime,
  name: z.string(),
  referenceName: z.string(),
  description: longText,
  sqlQuery: z.string(),
  organizationId: z.string(),
  databaseConnectionId: z.string(),
  verifiedAt: dateTime.nullable(),
  verifiedByMemberId: z.string().nullable(),
  columns: z.array(columnSchema),
  measures: z.array(expressionSchema).max(50),
  segments: z.array(expressionSchema).max(50),
  defaultTimeColumn: columnName.nullable(),
  synonyms,
  grain: longText,
  keyColumns: z.array(columnName).max(10),
  relationships: z.array(relationshipSchema).max(50),
  usageGuidance: longText,
  warnings: z.array(warningSchema),
});

/** Section 4.1, the answer: one page of models. */
export const modelListSchema = listOf(modelSchema);

export type Column = z.infer<typeof columnSchema>;
export type Expression = z.infer<typeof expressionSchema>;
export type Relationship = z.infer<typeof relationshipSchema>;
export type Warning = z.infer<typeof warningSchema>;
export type Model = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
