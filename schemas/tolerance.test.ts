import { expect, test } from 'vitest';
import { z } from 'zod';
import { billingAccountAnswerSchema, billingAccountSchema } from './billing-account.ts';
import { dataSourceSchema } from './data-source.ts';
import { errorBodySchema, rateLimitBodySchema } from './error.ts';
import {
  chartReferenceSchema,
  chatSchema,
  messagePartSchema,
  messageSchema,
  sendMessageAnswerSchema,
} from './message.ts';
import { sampleBodies } from './sample-bodies.ts';
import { schemaIssues } from './schema-issues.ts';

type Row = { schema: z.ZodObject; sample: Record<string, unknown>; required: readonly string[]; fields: number };

const ROWS: Record<string, Row> = {
  chat: { schema: chatSchema, sample: sampleBodies.chat(), required: ['id'], fields: 8 },
  message: { schema: messageSchema, sample: sampleBodies.message(), required: ['id'], fields: 10 },
  part: { schema: messagePartSchema, sample: sampleBodies.message().parts?.[0] ?? {}, required: [], fields: 8 },
  chart: { schema: chartReferenceSchema, sample: sampleBodies.message().charts?.[0] ?? {}, required: [], fields: 7 },
  dataSource: { schema: dataSourceSchema, sample: sampleBodies.dataSource(), required: ['id'], fields: 34 },
  billingAccount: { schema: billingAccountSchema, sample: sampleBodies.billingAccount(), required: ['id'], fields: 13 },
};

for (const [name, { schema, sample, required, fields }] of Object.entries(ROWS)) {
  test(`${name}: the sample conforms, holds every field of the specification, and may hold more`, () => {
    expect(Object.keys(sample)).toEqual(Object.keys(schema.shape));
    expect(Object.keys(sample)).toHaveLength(fields);
    expect(schemaIssues(schema, sample)).toEqual([]);
    expect(schemaIssues(schema, { ...sample, unheardOf: { of: [null] } })).toEqual([]);
  });

  test.each(Object.keys(schema.shape))(`${name}.%s may be null or absent where nothing depends on it`, (field) => {
    const expected = required.includes(field) ? [field] : [];
    const { [field]: _left, ...without } = sample;
    expect(schemaIssues(schema, without).map(({ path }) => path)).toEqual(expected);
    expect(schemaIssues(schema, { ...sample, [field]: null }).map(({ path }) => path)).toEqual(expected);
  });

  test.each(Object.keys(schema.shape))(`${name}.%s of another type is a violation`, (field) => {
    for (const value of [
      { not: 'this' },
      ...[1, 'text', true].filter((other) => typeof other !== typeof sample[field]),
    ]) {
      expect(schemaIssues(schema, { ...sample, [field]: value })).toMatchObject([{ path: field }]);
    }
  });

  test(`${name}: enumerations that are not shown are open, also to the empty string`, () => {
    for (const field of [
      'status',
      'source',
      'role',
      'type',
      'phase',
      'dialect',
      'lastSyncStatus',
      'lastHealthStatus',
    ]) {
      if (Object.hasOwn(schema.shape, field)) {
        expect(schemaIssues(schema, { ...sample, [field]: 'something else' })).toEqual([]);
        expect(schemaIssues(schema, { ...sample, [field]: '' })).toEqual([]);
      }
    }
  });
}

test('numbers may be negative, fractional and large, but not beyond what JSON numbers become', () => {
  for (const port of [-1, 0.5, 1e300]) expect(schemaIssues(dataSourceSchema, { id: 'd', port })).toEqual([]);
  expect(schemaIssues(dataSourceSchema, JSON.parse('{"id":"d","port":1e999}'))).toEqual([
    { path: 'port', expected: 'number or null', received: 'Infinity' },
  ]);
});

test('billing timestamps have no format, those of data sources have', () => {
  expect(schemaIssues(billingAccountSchema, { id: 'b', createdAt: 'soon' })).toEqual([]);
  expect(schemaIssues(dataSourceSchema, { id: 'd', createdAt: 'soon' })).toHaveLength(1);
});

test('an answer to a message needs the chat and both messages, each with its ID', () => {
  const chat = sampleBodies.chat();
  const data = { chat, userMessage: { id: 'u' }, assistantMessage: { id: 'a', parts: null } };
  const paths = (body: unknown) => schemaIssues(sendMessageAnswerSchema, body).map(({ path }) => path);
  expect(paths({ data, more: true })).toEqual([]);
  expect(paths({ data: { chat, userMessage: {}, assistantMessage: { id: null } } })).toEqual([
    'data.userMessage.id',
    'data.assistantMessage.id',
  ]);
  expect(paths({ data: { chat } })).toEqual(['data.userMessage', 'data.assistantMessage']);
  expect(paths(data)).toEqual(['data']);
  expect(schemaIssues(billingAccountAnswerSchema, { data: null })).toHaveLength(1);
});

test.each([
  [{ error: { title: 'T', detail: 'd' } }, [], ['error.title', 'error.retryAfterMs']],
  [{ error: { title: '', detail: '', more: 1 }, more: 2 }, [], ['error.title', 'error.retryAfterMs']],
  [{ error: { title: 'RateLimitExceeded', detail: 'd', retryAfterMs: 0 } }, [], []],
  [{ error: { title: 'RateLimitExceeded', detail: 'd', retryAfterMs: 12.5 } }, [], []],
  [{ error: { title: 'RateLimitExceeded', detail: 'd', retryAfterMs: -1 } }, [], ['error.retryAfterMs']],
  [{ error: { title: 'RateLimitExceeded', detail: 'd', retryAfterMs: '5' } }, [], ['error.retryAfterMs']],
  [{ error: { title: 'rateLimitExceeded', detail: 'd', retryAfterMs: 5 } }, [], ['error.title']],
  [{ error: { title: null } }, ['error.title', 'error.detail'], ['error.title', 'error.detail', 'error.retryAfterMs']],
  [{ error: 'Unauthorized' }, ['error'], ['error']],
  [{ message: 'Unauthorized' }, ['error'], ['error']],
  [[], ['(body)'], ['(body)']],
  [null, ['(body)'], ['(body)']],
])('as error and as rate-limit body: %j', (body, asError, asRateLimit) => {
  expect(schemaIssues(errorBodySchema, body).map(({ path }) => path)).toEqual(asError);
  expect(schemaIssues(rateLimitBodySchema, body).map(({ path }) => path)).toEqual(asRateLimit);
});
