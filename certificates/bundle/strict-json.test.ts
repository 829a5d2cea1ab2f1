import { expect, test } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

test.each([
  ['{"a":1,"a":2}', /^x has the name a twice in one object$/],
  [String.raw`{"a":1,"\u0061":2}`, /^x has the name a twice/],
  ['[{"b":{"a":1,"c":[{}],"a" : 2}}]', /^x has the name a twice/],
  [`{"a":"${'\\'.repeat(4)}","a":0}`, /^x has the name a twice/],
  ['['.repeat(100_000), /^x nests deeper than 24 levels$/],
  ['{"a":'.repeat(30), /^x nests deeper/],
  [`[${'1,'.repeat(1_000_001)}1]`, /^x holds more than 1000000 items$/],
  ['{"a":1', /^x is not JSON$/],
  ['"a', /^x is not JSON$/],
  ['', /^x is not JSON$/],
])('a text that says more than one thing, or too much, is refused: %#', (text, message) => {
  expect(() => parseStrictJson(text, 'x')).toThrow(message);
});

test.each([
  '{"a":{"a":[{"a":1},{"a":1}]},"b":"a"}',
  String.raw`{"a":"{\"a\":1,\"a\":[[[","b":"\\"}`,
  `{"text":${JSON.stringify('{'.repeat(1_000_000))}}`,
  '["a","a"]',
])('what merely looks like it is not', (text) => {
  expect(parseStrictJson(text, 'x')).toEqual(JSON.parse(text));
});
