import type { z } from 'zod';
import { pathText } from './path-text.ts';
import { dateTime } from './primitives.ts';
import { walk } from './walk.ts';

/**
 * Path and text of every string that the schema declares a date-time, so that a check can judge which tier it has.
 * Null, absent and values that are no string are left out: `schemaIssues` speaks of those.
 */
export function dateTimes(schema: z.core.$ZodType, body: unknown): (readonly [path: string, text: string])[] {
  const found: (readonly [string, string])[] = [];
  walk(schema, body, (declared, value, path) => {
    if (declared.schema === dateTime && typeof value === 'string') found.push([pathText(path), value]);
  });
  return found;
}
