import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { targetFileSchema } from './target-schema.ts';

/** The parts of a JSON Schema that have fields. */
const nodeSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
});

/** The name that the document gives to the keys of a map. */
const keysOf: Readonly<Record<string, string>> = {
  principals: '<name>',
  organizations: '<id>',
  billingAccounts: '<id>',
};

function fieldsOf(schema: unknown, path: readonly string[] = []): readonly string[] {
  const { properties, additionalProperties, anyOf } = nodeSchema.parse(schema);
  const key = keysOf[path.join('.')];
  const below = [
    ...Object.entries(properties).flatMap(([name, child]) => fieldsOf(child, [...path, name])),
    ...anyOf.flatMap((each) => fieldsOf(each, path).filter((field) => field !== path.join('.'))),
    ...(key === undefined ? [] : fieldsOf(additionalProperties, [...path, key])),
  ];
  const isMap = Object.keys(properties).length > 0 || key !== undefined;
  return isMap || path.length === 0 ? below : [path.join('.'), ...below];
}

test('the document explains every field of a target file', async () => {
  const text = await readFile(new URL('../docs/writing-a-target-file.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('\n## Every field\n');
  const explained = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)`/gm)].map(([, field]) => field);
  const fields = fieldsOf(z.toJSONSchema(targetFileSchema, { io: 'input' }));
  expect(explained).toHaveLength(fields.length);
  expect(new Set(explained)).toEqual(new Set(fields));
});
