import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateLimitBodySchema } from './error.ts';
import { chatSchema, sendMessageAnswerSchema } from './message.ts';
import { modelListSchema, modelSchema } from './model.ts';
import { sampleBodies } from './sample-bodies.ts';
import { schemaIssues } from './schema-issues.ts';
import { withOneChange } from '../testing/answers/with-one-change.ts';

const page = (...data: unknown[]) => ({ data, pagination: { nextCursor: null, hasMore: false } });

test('the path leads to the place', () => {
  const bad = { ...sampleBodies.model(), columns: [{ name: 'c', type: 'text', nullable: true, example: 1 }] };
  const ok = sampleBodies.model();
  expect(schemaIssues(modelListSchema, page(ok, ok, ok, bad)).map(({ path }) => path)).toEqual([
    'data[3].columns[0].type',
  ]);
});

test.each([
  [{ error: { title: 'Slow', detail: 1, retryAfterMs: -0.5 } }, 'error.title', '"RateLimitExceeded"', '"Slow"'],
  [{ error: { title: 'Slow', detail: 1, retryAfterMs: -0.5 } }, 'error.detail', 'string', '1'],
  [{ error: { title: 'Slow', detail: 1, retryAfterMs: -0.5 } }, 'error.retryAfterMs', 'at least 0', '-0.5'],
  ['text', '(body)', 'object', '"text"'],
  [undefined, '(body)', 'object', 'absent'],
  [[1], '(body)', 'object', 'array of 1 item'],
])('%j: at %s expected %s, received %s', (body, path, expected, received) => {
  expect(schemaIssues(rateLimitBodySchema, body)).toContainEqual({ path, expected, received });
});

test('no more than 20 issues, the first ones', () => {
  const issues = schemaIssues(modelListSchema, page({}, {}));
  expect(issues).toHaveLength(20);
  expect(issues[0]).toEqual({ path: 'data[0].id', expected: 'string', received: 'absent' });
});

test.each([
  ['a long text', 'x'.repeat(5_000_000)],
  ['a long text of escapes', '\u0000'.repeat(5_000_000)],
  ['a long text of pairs', '😀'.repeat(1_000_000)],
  ['lone surrogates', '\ud800'.repeat(1000)],
])('what is received stays short: %s', (_title, text) => {
  const [issue] = schemaIssues(chatSchema, { id: 'c', createdAt: text });
  expect([...(issue?.received ?? '')].length).toBeLessThanOrEqual(120);
  expect(issue?.received.isWellFormed()).toBe(true);
});

const deep = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
const HOSTILE: readonly [title: string, body: unknown, count: number][] = [
  ['deep arrays as the body', deep(10_000, '[', ']'), 1],
  ['deep objects as the body', deep(10_000, '{"data":', '}'), 2],
  ['deep arrays in a field', { ...page(), data: deep(10_000, '[', ']') }, 1],
  ['deep objects in an unknown field', { ...page(), unknown: deep(10_000, '{"a":', '}') }, 0],
  ['a million numbers for models', { ...page(), data: Array.from({ length: 1_000_000 }, () => 1) }, 20],
  ['200,000 empty models', { ...page(), data: Array.from({ length: 200_000 }, () => ({})) }, 20],
  ['a million measures', page({ ...sampleBodies.model(), measures: Array.from({ length: 1_000_000 }, () => 1) }), 1],
  [
    '100,000 unknown fields',
    { ...page(), ...Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])) },
    0,
  ],
  [
    'a prototype in disguise',
    JSON.parse('{"__proto__":{"data":[],"pagination":{"nextCursor":null,"hasMore":false}}}'),
    2,
  ],
];

test.each(HOSTILE)('hostile: %s', (_title, body, count) => {
  expect(schemaIssues(modelListSchema, body)).toHaveLength(count);
  expect(Object.hasOwn(Object.prototype, 'data')).toBe(false);
});

test('there are issues exactly where Zod sees some, and the same at every call', () => {
  const data = {
    chat: sampleBodies.chat(),
    userMessage: sampleBodies.message(),
    assistantMessage: sampleBodies.message(),
  };
  for (const [schema, body] of [
    [modelSchema, sampleBodies.model()],
    [sendMessageAnswerSchema, { data }],
  ] as const) {
    fc.assert(
      fc.property(withOneChange(body), (changed) => {
        const issues = schemaIssues(schema, changed);
        expect(issues.length > 0).toBe(!schema.safeParse(changed).success);
        expect(schemaIssues(schema, changed)).toEqual(issues);
      }),
      { numRuns: 500 },
    );
  }
});
