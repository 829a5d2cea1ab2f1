import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

/** A long body with two records, each of 600 kB. */
function bodyOf(...ids: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ data: ids.map((id) => ({ id, text: 'x'.repeat(600_000) })), more: false }));
}

function recordsOf(...ids: readonly string[]): readonly unknown[] {
  const { value } = parseJson(bodyOf(...ids));
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data) ? value.data : [];
}

test('equal records of two long bodies are one, others are not', () => {
  const [first, second] = [recordsOf('a', 'b'), recordsOf('b', 'c')];
  expect(second[0]).toBe(first[1]);
  expect(second[1]).toMatchObject({ id: 'c' });
  expect(first[0]).toMatchObject({ id: 'a' });
});

test.each(['[1,2]', '"text"', 'null', '{"data":{"id":"a"}}', '{"data":[null,1,"a",[2]]}'])(
  'JSON of another form stays as it is: %s',
  (text) => {
    const body = Buffer.from(text.padEnd(600_000));
    expect(parseJson(body).value).toEqual(JSON.parse(text));
  },
);
