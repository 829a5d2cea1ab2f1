import type { z } from 'zod';
import type { Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { schemaIssues } from '../schemas/schema-issues.ts';
import type { Judgement } from './judgement.ts';

/** Whether an answer with `data` conforms to its schema. That there is any data is another promise. */
export function dataConforms(schema: z.core.$ZodType, { json }: Answer): Judgement {
  const data = at(json, 'data');
  if (typeof data !== 'object' || data === null) return undefined;
  const [issue] = schemaIssues(schema, json);
  return issue === undefined ? 'kept' : { expected: `${issue.path}: ${issue.expected}`, actual: issue.received };
}
