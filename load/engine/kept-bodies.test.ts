import { expect, test } from 'vitest';
import { createAnswerReader } from './answer-reader.ts';
import { createKeptBodies } from './kept-bodies.ts';

test('bodies are kept while there is room for all that arrive, and the others are not', () => {
  const bodies = createKeptBodies(1000);
  const [first, second, third] = [bodies.begin(), bodies.begin(), bodies.begin()];
  first.add(Buffer.alloc(500));
  second.add(Buffer.alloc(200));
  second.add(Buffer.alloc(200));
  second.add(Buffer.alloc(1));
  third.add(Buffer.alloc(100));
  expect([first.end()?.length, second.end(), third.end()?.length]).toEqual([1, undefined, 1]);
  const fourth = bodies.begin();
  fourth.add(Buffer.alloc(800));
  expect(fourth.end()?.length).toBe(1);
});

test('an answer whose body was not kept is an answer', () => {
  const reader = createAnswerReader(createKeptBodies(1000));
  const answer = reader.take(Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n${'x'.repeat(2000)}`));
  expect(answer).toMatchObject({ status: 200, body: [], isUnkept: true });
  const next = reader.take(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx'));
  expect(next).toMatchObject({ status: 200, body: [Buffer.from('x')] });
});

test('an answer that breaks off gives its room back', () => {
  const bodies = createKeptBodies(1000);
  const reader = createAnswerReader(bodies);
  reader.take(Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n${'x'.repeat(700)}`));
  expect(reader.end(false)).toBe('truncated');
  const next = bodies.begin();
  next.add(Buffer.alloc(800));
  expect(next.end()?.length).toBe(1);
});
