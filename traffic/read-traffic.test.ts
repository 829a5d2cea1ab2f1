import { expect, test } from 'vitest';
import { renderHar } from '../reports/run/har.ts';
import { renderTerminal } from '../reports/run/terminal.ts';
import { maxHarBytes } from './har.ts';
import { suites } from '../suites/index.ts';
import { readTraffic, type TrafficOptions } from './read-traffic.ts';
import { trafficRecord } from './traffic-record.ts';
import { baseUrl, harOf } from '../testing/try-traffic.ts';

const options: TrafficOptions = { baseUrl: undefined, keyHeader: undefined };

function entry(url: string, authorization = 'Bearer sk-live-0123456789', text = '{"error":{}}') {
  return {
    startedDateTime: '2026-11-21T12:00:00.000Z',
    time: 5,
    request: {
      method: 'GET',
      url,
      headers: [
        { name: 'authorization', value: authorization },
        { name: 'Cookie', value: 'session=cookie-secret-1' },
        { name: 'X-Api-Key', value: 'header-secret-2' },
      ],
    },
    response: { status: 404, headers: [{ name: 'Set-Cookie', value: 'session=cookie-secret-3' }], content: { text } },
  };
}

const models = `${baseUrl}/api/public/organizations/org_1/models`;

test.each([
  ['nothing', '', /no JSON/],
  ['the beginning of a HAR', '{"log":{"entries":[{"request":', /only the beginning/],
  ['another JSON', '{"openapi":"3.1.0"}', /no log\.entries/],
  ['null', 'null', /no log\.entries/],
  ['a deep array', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, /is no HAR/],
  ['no entry', '{"log":{"entries":[]}}', /no request that looks like one/],
  ['entries that are none', '{"log":{"entries":[null,1,{},{"request":{"url":5}}]}}', /no request that looks like one/],
])('a file is refused that holds %s', (_what, text, message) => {
  expect(() => readTraffic(Buffer.from(text), options)).toThrow(message);
});

test('a file that is no UTF-8 is refused, and one with a byte order mark is not', () => {
  expect(() => readTraffic(Uint8Array.of(0xff, 0xfe, 0x7b), options)).toThrow(/not UTF-8/);
  const marked = Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), harOf([entry(models)])]);
  expect(readTraffic(marked, options).recorded).toHaveLength(1);
  expect(maxHarBytes).toBeLessThan(2 ** 29); // no string is longer
});

test('where requests to several APIs are recorded, they are named, and one can be chosen', () => {
  const other = 'http://localhost:8080/api/public/billing-accounts/ba_1';
  const har = harOf([
    entry(models),
    entry(other),
    entry('https://user:pass@api.example.com/v0/api/public/organizations/o/x'),
  ]);
  expect(() => readTraffic(har, options)).toThrow(
    'choose one with --base-url. There are: https://api.example.com/v0, http://localhost:8080.',
  );
  const { recorded, leftOut } = readTraffic(har, { ...options, baseUrl: 'HTTP://LOCALHOST:8080/' });
  expect(recorded.map(({ route }) => route.operation)).toEqual(['getBillingAccount']);
  expect(leftOut.get('elsewhere')).toBe(2);
  expect(() => readTraffic(har, { ...options, baseUrl: 'localhost' })).toThrow(/no http or https address/);
});

test('too many different credentials are refused: each has to be looked for wherever text is shown', () => {
  const many = Array.from({ length: 300 }, (_, index) => entry(models, `Bearer sk-live-number-${index}`));
  expect(() => readTraffic(harOf(many), options)).toThrow(/different credentials/);
  const long = [entry(models, `Bearer ${'x!'.repeat(4097)}`)];
  expect(() => readTraffic(harOf(long), options)).toThrow(/a credential of more than 8192 characters/);
  const longTogether = Array.from({ length: 40 }, (_, index) => entry(models, `Bearer ${index}-${'y!'.repeat(1900)}`));
  expect(() => readTraffic(harOf(longTogether), options)).toThrow(/credentials of more than 131072 characters in all/);
});

test('no secret of the recording is in a report, wherever it was recorded', () => {
  const leaking = '{"error":{"title":5,"detail":"no access for sk-live-0123456789"}}';
  const entries = [
    entry(`${models}?limit=5&api_key=query-secret-4`),
    entry(`${models}?limit=5#fragment-secret-5`, 'Bearer sk-live-0123456789', leaking),
    entry(models, 'Basic dXNlcjpwYXNzLXNlY3JldC02', '{"error":"dXNlcjpwYXNzLXNlY3JldC02"}'),
    entry(models, 'short', '{"error":"short"}'),
    entry(`https://user:pass-secret-7@api.example.com/v0/api/public/organizations/org_1/models`),
  ];
  const facts = { checks: suites, keyHeader: undefined, strict: false, waivers: [], startedAt: 0, durationMs: () => 1 };
  const traffic = readTraffic(harOf(entries), options);
  expect(traffic.recorded).toHaveLength(4);
  expect(traffic.leftOut.get('asked otherwise')).toBe(1);
  const record = trafficRecord(traffic, { ...facts, name: 'prod.har' });
  expect(record.result).toBe('nonconformant');
  const shown = [JSON.stringify(record), renderHar(record), renderTerminal(record, { color: false })].join('\n');
  expect(shown).toContain('no access for $AWC_KEY_1');
  expect(shown).toContain('limit=5');
  const secrets = ['sk-live', '-secret-', 'dXNlcjpwYXNz', 'Bearer sk', 'Bearer short', '"short"'];
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
});
