import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

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
