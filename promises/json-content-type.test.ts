import { expect, test } from 'vitest';
import { contentTypeProblem } from './json-content-type.ts';

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json; charset=US-ASCII',
  'application/problem+json',
  'application/vnd.workspace.v1+json; profile="x"',
  'application/json, application/json',
  'text/json; charset=utf-8',
  'model/vnd.workspace+json',
  'application/json; profile="https://example.com/a, b; charset=x"; charset=utf-8',
])('%s says JSON', (header) => {
  expect(contentTypeProblem(header)).toBeUndefined();
});

test.each([
  [undefined, 'no content type'],
  ['', 'no content type'],
  ['text/html; charset=utf-8', 'the content type text/html'],
  ['text/plain', 'the content type text/plain'],
  ['text/+json', 'the content type text/+json'],
  ['application/jsonp', 'the content type application/jsonp'],
  ['application/x-ndjson', 'the content type application/x-ndjson'],
  ['application/json; charset=iso-8859-1', 'the charset iso-8859-1'],
  ['json', 'the content type json'],
  [',', 'the content type '],
  ['application/json; profile="x;y"; charset=latin1', 'the charset latin1'],
  ['application/json, text/html', 'the content type text/html'],
])('%s says otherwise', (header, problem) => {
  expect(contentTypeProblem(header)).toBe(problem);
});
