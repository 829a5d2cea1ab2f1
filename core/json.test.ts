import { expect, test } from 'vitest';
import { duplicateName, parseJson } from './json.ts';

function nested(levels: number, inside: string): Uint8Array {
  return Buffer.from(`${'['.repeat(levels)}${inside}${']'.repeat(levels)}`);
}

const long = JSON.stringify('[{"\\'.repeat(100_000));

test.each<[string, Uint8Array]>([
  ['no deeper than anybody nests', nested(9999, long)],
  ['brackets in a text', Buffer.from(`{"a":${long},"b":[[]]}`)],
  ['many side by side', Buffer.from(`[${Array.from({ length: 100_000 }, () => '[{}]').join(',')}]`)],
])('a long body with %s is parsed', (_name, body) => {
  expect(parseJson(body)).toMatchObject({ problem: undefined });
});

test('a body of nothing but brackets is not parsed', () => {
  expect(parseJson(nested(2_000_000, ''))).toEqual({
    value: undefined,
    problem: 'the body nests deeper than 10000 levels',
  });
});

test.each<[string, string | undefined]>([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', undefined],
  ['{"a":1,"b":[{"c":{}}],"a":2}', '"a"'],
  ['[{"a":1},{"b":{"a b" \n:1,"a b":2}}]', '"a b"'],
  ['{"a":"b","b":"b:","c":["a","a"]}', undefined],
  [String.raw`{"a\"":1,"a":"\\","\\":2,"a\"":3}`, String.raw`"a\""`],
  [String.raw`{"{\"a\":1,\"a\":2}":"\\\"","}":1}`, undefined],
])('of the names of %s, the first that comes twice in one object is %s', (text, name) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(duplicateName(text)).toBe(name);
});
