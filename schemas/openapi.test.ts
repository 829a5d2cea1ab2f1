import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataSourceSchema } from './data-source.ts';
import { dateTimeTier } from './date-time-tier.ts';
import { messageSchema } from './message.ts';
import { modelSchema } from './model.ts';
import { openApiDocument } from './openapi.ts';
import { sampleBodies } from './sample-bodies.ts';
import { isRecord } from './walk.ts';
import { withOneChange } from '../testing/answers/with-one-change.ts';

test('a public validator finds the document to be OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(openApiDocument())).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every reference leads to a component, and every component is used', () => {
  const text = JSON.stringify(openApiDocument());
  const references = new Set(text.match(/(?<="\$ref":"#\/components\/schemas\/)[^"]+/g));
  expect([...references].sort()).toEqual(Object.keys(at(openApiDocument(), 'components', 'schemas')).sort());
});

test.each([
  ['listModels', '/api/public/organizations/{orgId}/models', 'get', '200 401 404 429 500 default'],
  ['sendMessage', '/api/public/organizations/{orgId}/chats/{chatId}/messages', 'post', '200 202 401 409 429 default'],
  [
    'attachOrganization',
    '/api/public/billing-accounts/{billingAccountId}/organizations',
    'post',
    '401 429 2XX default',
  ],
  ['getBillingAccount', '/api/public/billing-accounts/{billingAccountId}', 'get', '401 429 2XX default'],
  ['listDataSources', '/api/public/organizations/{orgId}/data-sources', 'get', '401 429 2XX default'],
  ['deleteDataSource', '/api/public/organizations/{orgId}/data-sources/{id}', 'delete', '401 429 2XX default'],
])('%s: %s', (operationId, path, method, statuses) => {
  const operation = at(openApiDocument(), 'paths', path, method);
  expect(operation['operationId']).toBe(operationId);
  expect(Object.keys(at(operation, 'responses')).join(' ')).toBe(statuses);
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  const inPath = parameters.filter(isRecord).filter((parameter) => parameter['in'] === 'path');
  expect(inPath.map((parameter) => `{${String(parameter['name'])}}`)).toEqual(path.match(/\{\w+\}/g));
});

test('the document is new at each call', () => {
  const first = openApiDocument();
  Object.assign(at(first, 'paths', '/api/public/billing-accounts/{billingAccountId}', 'get'), { operationId: 'x' });
  Object.assign(at(first, 'components', 'schemas', 'Model', 'properties'), { id: {} });
  expect(JSON.stringify(openApiDocument())).not.toBe(JSON.stringify(first));
});

test('as JSON Schema, the components judge as the schemas do', () => {
  const ajv = new Ajv2020({ allErrors: false, strictTypes: false, keywords: ['components', 'x-extensible-enum'] });
  ajv.addFormat('date-time', (text) => dateTimeTier(text) !== 'invalid');
  ajv.addSchema({ $id: 'api', components: at(openApiDocument(), 'components') });
  for (const [id, schema, body] of [
    ['Model', modelSchema, sampleBodies.model()],
    ['Message', messageSchema, sampleBodies.message()],
    ['DataSource', dataSourceSchema, sampleBodies.dataSource()],
  ] as const) {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${id}` });
    fc.assert(
      fc.property(withOneChange(body), (changed) => {
        expect(validate(changed)).toBe(schema.safeParse(changed).success);
      }),
      { numRuns: 500 },
    );
  }
});

function at(document: Readonly<Record<string, unknown>>, ...keys: string[]): Readonly<Record<string, unknown>> {
  let here = document;
  for (const key of keys) {
    const next = here[key];
    if (!isRecord(next)) throw new Error(`no object at ${key}`);
    here = next;
  }
  return here;
}

test('the synonyms of measures and segments are empty by default', () => {
  const expression = at(openApiDocument(), 'components', 'schemas', 'Expression');
  expect(expression).toHaveProperty('properties.synonyms.default', []);
});
