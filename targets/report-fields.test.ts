import { expect, test } from 'vitest';
import { parseTarget } from './target-file.ts';

const parsed = (text: string) =>
  parseTarget(`name: T\nbaseUrl: https://t.example\nprincipals: { a: { key: k1 } }\n${text}`, 'target.yaml', {}).target;

test('the header of the request id, and the link to a trace', () => {
  const link = 'https://tracing.example.com/trace/{traceId}';
  expect(parsed(`requestIdHeader: X-Request-Id\nlinks: { trace: "${link}" }\n`)).toMatchObject({
    requestIdHeader: 'x-request-id',
    traceLink: link,
  });
});

test.each([
  ['requestIdHeader: "x y"\n', /^target\.yaml:4:18: requestIdHeader is not a header name/],
  ['links: { trace: "https://t.example/" }\n', /^target\.yaml:4:17: links\.trace is not a URL with \{traceId\}/],
  ['links: { trace: "javascript:{traceId}" }\n', /links\.trace is not a URL/],
  ['links: { traces: x }\n', /^target\.yaml:4:10: links\.traces is not a field of a target file; did you mean trace\?/],
])('%j is wrong', (text, message) => {
  expect(() => parsed(text)).toThrow(message);
});
