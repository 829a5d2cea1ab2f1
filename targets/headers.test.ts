import { expect, test } from 'vitest';
import { redactorOf } from '../core/redaction/redact.ts';
import { TargetFileError } from './target-file-error.ts';
import { parseTarget, targetOf } from './target-file.ts';

const environment = { GATEWAY: 'gateway-secret', SESSION: 'session-secret', EMPTY: '', SHORT: 'eu-1' };
const base = 'name: T\nbaseUrl: https://t.example\n';
const principals =
  'principals: { alice: { key: k1 }, bob: { key: k2, headers: { X-A: other, cookie: "s=${SESSION}" } } }\n';

const parsed = (text: string, patch?: unknown) =>
  parseTarget(base + text + principals, 'target.yaml', environment, patch);

function problemsOf(headers: string): string {
  try {
    parsed(`headers: ${headers}\n`);
  } catch (error) {
    if (!(error instanceof TargetFileError)) throw error;
    expect(error.message).not.toMatch(/(gateway|session)-secret/);
    return error.message.replaceAll('target.yaml:', '');
  }
  return 'no problem';
}

test('each principal has the headers of the file and its own, and what the environment holds is secret', () => {
  const { target, notes } = parsed('headers: { X-A: plain, X-B: "one ${GATEWAY}", X-C: "${EMPTY:-}" }\n');
  expect(target.principals.map(({ headers }) => headers)).toEqual([
    { 'x-a': 'plain', 'x-b': 'one gateway-secret' },
    { 'x-a': 'other', 'x-b': 'one gateway-secret', cookie: 's=session-secret' },
  ]);
  expect(target.secrets?.map(({ variable }) => variable)).toEqual(['$GATEWAY', '$SESSION']);
  expect(notes).toEqual(['Header X-C is left out because its value is empty.']);
  const { text } = redactorOf(target);
  expect(text('plain gateway-secret session-secret k2')).toBe('plain $GATEWAY $SESSION $AWC_KEY_BOB');
});

test('an alias of a secret is secret', () => {
  const { target } = parsed('headers: { X-A: &a "${GATEWAY}", X-B: *a }\n');
  expect(target.secrets?.map(({ key }) => key)).toEqual(['gateway-secret', 'session-secret']);
});

test('where a value comes from cannot be seen in the output of a setup or in data, so it is secret', () => {
  const { target } = parsed('', { headers: { 'X-A': 'made-by-setup' } });
  expect(redactorOf(target).text('made-by-setup')).toBe('$AWC_HEADER_X_A');
  const data = {
    name: 'T',
    baseUrl: 'https://t.example',
    headers: { 'X-A': 'gateway-secret' },
    principals: { a: { key: 'k' } },
  };
  expect(redactorOf(targetOf(data).target).text('gateway-secret')).toBe('$AWC_HEADER_X_A');
});

test.each([
  [
    '{ authorization: "Basic x" }',
    /^3:12: headers\.authorization cannot be set here, because authorization carries the API key/,
  ],
  [
    '{ Connection: close }',
    /^3:12: headers\.Connection cannot be set here, because Connection belongs to a single connection/,
  ],
  ['{ Accept-Encoding: gzip }', /is set by the suite; remove it$/],
  ['{ X-Idempotency-Key: a }', /carries idempotency keys; remove it$/],
  ['{ "x y": a }', /^3:12: headers\."x y" is not a header name/],
  ['{ X-A: a, x-a: b }', /^3:20: headers\.x-a appears twice in this map/],
  ['{ X-A: "a\\nb" }', /^3:17: headers\.X-A cannot be sent in a header/],
  ['{ X-A: "é→" }', /cannot be sent in a header/],
  ['{ X-A: " a" }', /begins or ends with a space/],
  ['{ X-A: 1 }', /^3:17: headers\.X-A must be text; put a number in quotes$/],
  ['[X-A]', /^3:10: headers must map header names to values/],
  ['{ X-A: "${SHORT}" }', /^3:17: headers\.X-A takes \$SHORT from the environment, .* under 8 characters/],
  ['{ X-A: "${UNSET}" }', /the environment variable UNSET is not set/],
])('headers: %s', (headers, message) => {
  expect(problemsOf(headers)).toMatch(message);
});
