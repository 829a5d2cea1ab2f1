/** For tests: HAR held against its published schemas. */
import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import harSchemas from 'har-schema';

/** What is wrong with a HAR file, null if nothing. */
export function harErrors(text: string): Ajv['errors'] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addMetaSchema(draft06);
  for (const schema of Object.values(harSchemas)) ajv.addSchema(schema);
  ajv.validate('har.json#', JSON.parse(text));
  return ajv.errors;
}
