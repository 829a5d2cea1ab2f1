import type { z } from 'zod';
import { pathText } from './path-text.ts';
import { isRecord, walk } from './walk.ts';

const MAX_FIELDS = 100;

/**
 * The first 100 fields of a body that its schema does not declare, each once and without indices: `data[].costCenter`. They are
 * legal everywhere, and worth knowing. Fields inside such a field are not listed.
 */
export function undocumentedFields(schema: z.core.$ZodType, body: unknown): string[] {
  const found = new Set<string>();
  walk(schema, body, (declared, value, path) => {
    if (declared.fields === undefined || !isRecord(value)) return;
    for (const key in value) {
      if (found.size >= MAX_FIELDS) return;
      if (!declared.fields.has(key)) found.add(pathText([...path, key], { collapse: true }));
    }
  });
  return [...found];
}
