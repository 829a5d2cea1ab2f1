import { expect, test } from 'vitest';
import { sendMessageAnswerSchema } from './message.ts';
import { modelListSchema } from './model.ts';
import { sampleBodies } from './sample-bodies.ts';
import { undocumentedFields } from './undocumented-fields.ts';

const page = (...data: unknown[]) => ({ data, pagination: { nextCursor: null, hasMore: false } });

test('a documented body has none, also where fields are null or absent', () => {
  expect(undocumentedFields(modelListSchema, page(sampleBodies.model(), {}, null))).toEqual([]);
});

test('indices are collapsed, each field is reported once, its content not at all', () => {
  const model = { ...sampleBodies.model(), costCenter: { code: 1 }, columns: [{ rank: 1 }, { rank: 2, 'a b': 3 }] };
  expect(undocumentedFields(modelListSchema, { ...page(model, model), total: 2 })).toEqual([
    'total',
    'data[].costCenter',
    'data[].columns[].rank',
    'data[].columns[]["a b"]',
  ]);
});

test('fields inside nullable and optional objects are found', () => {
  const message = { ...sampleBodies.message(), parts: [{ id: 'p', tokens: 5 }] };
  const body = { data: { chat: { id: 'c', topic: 't' }, userMessage: message, assistantMessage: { id: 'a' } } };
  expect(undocumentedFields(sendMessageAnswerSchema, body)).toEqual([
    'data.chat.topic',
    'data.userMessage.parts[].tokens',
  ]);
});

test.each([
  ['another type', 'text', []],
  ['nothing', undefined, []],
  ['names of the prototype', JSON.parse('{"__proto__":{"a":1},"constructor":1}'), ['__proto__', 'constructor']],
  ['a lone surrogate', { '\ud800': 1 }, ['["\\ud800"]']],
  ['a long name', { ['k'.repeat(5000)]: 1 }, [`["${'k'.repeat(59)}…"]`]],
])('hostile: %s', (_title, body, expected) => {
  expect(undocumentedFields(modelListSchema, body)).toEqual(expected);
});

test('at most 100 are reported', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
  expect(undocumentedFields(modelListSchema, { ...page(many), ...many })).toHaveLength(100);
});
