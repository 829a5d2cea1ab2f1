import type { z } from 'zod';
import { pathText } from './path-text.ts';
import { dateTime } from './primitives.ts';
import { walk } from './walk.ts';

/**
 * The path and the text of every string that the schema declares a date-time, so that a check can judge its tier. Null, absent
 * fields and values that are not strings are left out: `schemaIssues` reports those.
 */
export function dateTimes(schema: z.core.$ZodType, body: unknown): (readonly [path: string, text: string])[] {
  const found: (readonly [string, string])[] = [];
  walk(schema, body, (declared, value, path) => {
    if (declared.schema === dateTime && typeof value === 'string') found.push([pathText(path), value]);
  });
  return found;
}
