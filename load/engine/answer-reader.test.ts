import { describe, expect, test } from 'vitest';
import { type Answer, createAnswerReader } from './answer-reader.ts';

const ok = 'HTTP/1.1 200 OK\r\n';

/** What is read of bytes that come so many at a time, and whether it needed the end of the connection. */
function read(text: string, atATime: number, ends?: 'cleanly' | 'cut') {
  const reader = createAnswerReader();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += atATime) {
    const result = reader.take(Buffer.from(bytes.subarray(at, at + atATime)));
    if (result !== undefined) return describeAnswer(result);
  }
  return ends === undefined ? undefined : describeAnswer(reader.end(ends === 'cleanly'));
}

function describeAnswer(result: Answer | string) {
  if (typeof result === 'string') return result;
  return `${result.status} ${Buffer.concat(result.body).toString()}`.trim();
}

const pieces = [1, 2, 7, 100_000];

describe.each(pieces)('%i bytes at a time', (atATime) => {
  test.each([
    ['a length', `${ok}Content-Length: 5\r\n\r\nhello`, '200 hello'],
    ['a length said twice alike', `${ok}content-length: 2\r\nContent-Length:2\r\n\r\n{}`, '200 {}'],
    ['no body at all', `${ok}content-length: 0\r\n\r\n`, '200'],
    ['characters of several bytes', `${ok}content-length: 8\r\n\r\n€🙂!`, '200 €🙂!'],
    ['chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n`, '200 hello'],
    [
      'chunks and trailers',
      `${ok}transfer-encoding: Chunked\r\n\r\nA \r\n0123456789\r\n0\r\nx: y\r\n\r\n`,
      '200 0123456789',
    ],
    [
      'an interim answer before',
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${ok}content-length: 2\r\n\r\n{}`,
      '200 {}',
    ],
    ['a status without a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', '204'],
    ['no reason', 'HTTP/1.1 429 \r\ncontent-length: 1\r\n\r\n1', '429 1'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}', '200 {}'],
  ])('%s', (_what, text, expected) => {
    expect(read(text, atATime)).toBe(expected);
    expect(read(text.slice(0, -1), atATime), 'one byte less').toBeUndefined();
  });

  test.each([
    ['the end of the connection ends a body without a length', `${ok}\r\nhello`, 'cleanly', '200 hello'],
    ['a connection that is cut does not', `${ok}\r\nhello`, 'cut', 'truncated'],
    ['nothing came', '', 'cleanly', 'reset'],
    ['half a head', `${ok}content-le`, 'cleanly', 'truncated'],
    ['half a body', `${ok}content-length: 5\r\n\r\nhel`, 'cleanly', 'truncated'],
    ['half a chunk', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhel`, 'cleanly', 'truncated'],
    ['no last chunk', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`, 'cleanly', 'truncated'],
  ] as const)('%s', (_what, text, ends, expected) => {
    expect(read(text, atATime, ends)).toBe(expected);
  });

  test.each([
    ['a page', '<h1>not HTTP</h1>\r\n\r\n', 'malformed'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', 'malformed'],
    ['lines that end with a newline alone', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}', 'malformed'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n', 'malformed'],
    ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 'malformed'],
    ['a length that is none', `${ok}content-length: 2e1\r\n\r\n{}`, 'malformed'],
    ['a negative length', `${ok}content-length: -2\r\n\r\n{}`, 'malformed'],
    ['a length and chunks', `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`, 'malformed'],
    ['a transfer coding that was not asked for', `${ok}transfer-encoding: gzip, chunked\r\n\r\n`, 'malformed'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', 'malformed'],
    ['a chunk without a size', `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'truncated'],
    ['a chunk that is longer than it says', `${ok}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n`, 'truncated'],
  ])('%s', (_what, text, expected) => {
    expect(read(text, atATime)).toBe(expected);
  });
});

test.each([
  ['a head without an end', `${ok}x: ${'a'.repeat(70_000)}`, 'too-large'],
  ['a body that is too long', `${ok}content-length: 99999999\r\n\r\n${'a'.repeat(34_000_000)}`, 'too-large'],
  [
    'a line between chunks that does not end',
    `${ok}transfer-encoding: chunked\r\n\r\n1;${'a'.repeat(2000)}`,
    'truncated',
  ],
])('%s is read no further', (_what, text, expected) => {
  expect(read(text, 65_536)).toBe(expected);
});

test('a body in hundreds of thousands of tiny chunks ends before memory does', () => {
  const reader = createAnswerReader();
  reader.take(Buffer.from(`${ok}transfer-encoding: chunked\r\n\r\n`));
  const chunks = Buffer.from('1\r\na\r\n'.repeat(10_000));
  let result: unknown;
  let taken = 0;
  for (; result === undefined && taken < 100; taken += 1) result = reader.take(chunks);
  expect(result).toBe('too-large');
  expect(taken).toBeLessThan(30);
});

test.each([
  ['stays', ok, 2000],
  ['ends after an answer that says so', `${ok}Connection: foo, Close\r\n`, 0],
  ['ends with HTTP/1.0', 'HTTP/1.0 200 OK\r\n', 0],
  ['is used for less time than its server keeps it', `${ok}keep-alive: timeout=2, max=10\r\n`, 1000],
  ['is not used where its server hardly keeps it', `${ok}Keep-Alive: timeout=1\r\n`, 0],
])('a connection %s', (_what, head, keepMs) => {
  const reader = createAnswerReader();
  expect(reader.take(Buffer.from(`${head}content-length: 0\r\n\r\n`))).toMatchObject({ keepMs });
});

test('answers follow one another on a connection, but unrequested bytes end it', () => {
  const reader = createAnswerReader();
  const one = Buffer.from(`${ok}content-length: 1\r\n\r\n1`);
  expect(reader.take(one)).toMatchObject({ status: 200, keepMs: 2000 });
  expect(reader.take(one)).toMatchObject({ status: 200, keepMs: 2000 });
  expect(reader.take(Buffer.concat([one, one]))).toMatchObject({ status: 200, keepMs: 0 });
});

test('a head that equals the one before is understood like it, and one that differs in a byte is not', () => {
  const reader = createAnswerReader();
  const answers = [
    [`${ok}content-length: 1\r\n\r\n1`, { status: 200, keepMs: 2000 }],
    [`${ok}content-length: 1\r\n\r\n2`, { status: 200, keepMs: 2000 }],
    [`${ok}content-length: 2\r\n\r\n33`, { status: 200, keepMs: 2000 }],
    ['HTTP/1.1 201 OK\r\ncontent-length: 2\r\n\r\n44', { status: 201, keepMs: 2000 }],
    ['HTTP/1.1 103 OK\r\n\r\nHTTP/1.0 201 OK\r\ncontent-length: 2\r\n\r\n55', { status: 201, keepMs: 0 }],
    ['HTTP/1.0 201 OK\r\ncontent-length: 2\r\n\r\n66', { status: 201, keepMs: 0 }],
    ['HTTP/1.0 201 OK\r\ncontent-length: x\r\n\r\n', 'malformed'],
  ] as const;
  for (const [text, expected] of answers) {
    const bytes = Buffer.from(text);
    reader.take(bytes.subarray(0, 20));
    const answer = reader.take(bytes.subarray(20));
    if (typeof expected === 'string') expect(answer).toBe(expected);
    else expect(answer).toMatchObject({ ...expected, body: [bytes.subarray(bytes.lastIndexOf('\n') + 1)] });
  }
});

test('what is kept stays as it was when the memory that it came in is used again', () => {
  const reader = createAnswerReader();
  const bytes = Buffer.from(`${ok}content-length: 4\r\n\r\nab`);
  reader.take(bytes);
  bytes.fill('x');
  const rest = Buffer.from('cd');
  const result = reader.take(rest);
  rest.fill('x');
  expect(typeof result === 'object' && describeAnswer(result)).toBe('200 abcd');
});
