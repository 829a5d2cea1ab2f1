import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordSchema } from './record.ts';
import { sampleRecord } from '../../testing/samples/run-records.ts';

const jsonSchema = z.toJSONSchema(recordSchema, { io: 'input' });

test('the published JSON Schema is that of the record', async () => {
  await expect(`${JSON.stringify(jsonSchema, null, 2)}\n`).toMatchFileSnapshot('../awc-report-1.schema.json');
});

test('a record of every verdict fits it, and what is no record does not', () => {
  const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(jsonSchema);
  const record: unknown = JSON.parse(JSON.stringify(sampleRecord()));
  expect(validate(record), JSON.stringify(validate.errors)).toBe(true);
  expect(recordSchema.safeParse(record).success).toBe(true);
  for (const wrong of [{ result: 'green' }, { format: 'awc-report/2' }, { seed: undefined }, { more: 1 }]) {
    const changed: unknown = JSON.parse(JSON.stringify({ ...sampleRecord(), ...wrong }));
    expect([validate(changed), recordSchema.safeParse(changed).success]).toEqual([false, false]);
  }
});
