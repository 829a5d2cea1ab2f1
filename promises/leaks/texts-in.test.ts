import { expect, test } from 'vitest';
import { answerTo, jsonResponse } from '../../testing/answers/answer-to.ts';
import { textsIn } from './texts-in.ts';

function textsOf(body: string): string {
  return textsIn(answerTo('listModels', jsonResponse(500, body)));
}

test.each([
  ['a text', '"one"', 'one'],
  [
    'texts at every depth, in their order',
    '{"a":"one","b":[{"c":"two"},["three",4,null]],"d":"four"}',
    'one\ntwo\nthree\nfour',
  ],
  ['no text', '{"a":1}', ''],
  ['what is no JSON', 'Error: one', 'Error: one'],
])('%s', (_what, body, texts) => {
  expect(textsOf(body)).toBe(texts);
});

test('a body without end is read for a while', () => {
  expect(textsOf(JSON.stringify(Array.from({ length: 100_000 }, () => 'x'.repeat(100)))).length).toBeLessThan(
    1_000_000,
  );
});
