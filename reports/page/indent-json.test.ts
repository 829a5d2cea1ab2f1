import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test.each([
  [
    'fields and items',
    '{"a":[1,{"b":null}],"c":{}}',
    '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {}\n}',
  ],
  [
    'what a parser would change',
    '{"a":1.0,"a":12345678901234567890}',
    '{\n  "a": 1.0,\n  "a": 12345678901234567890\n}',
  ],
  ['marks inside strings', '{"a":"{,:\\"]"}', '{\n  "a": "{,:\\"]"\n}'],
  ['what is no JSON', '{oops', '{oops'],
  ['plain text', 'not found', 'not found'],
])('%s', (_what, text, expected) => {
  expect(indentJson(text, false)).toBe(expected);
});

test('the beginning of a body is laid out, whatever follows it', () => {
  expect(indentJson('{"a":[1,"lo', true)).toBe('{\n  "a": [\n    1,\n    "lo');
  expect(indentJson(']]]}{"a":1', true)).toBe(']]]}{"a":1');
});

test('a body that is only depth stays small', () => {
  expect(indentJson('['.repeat(4096), true).length).toBeLessThan(4096 * 27);
});
