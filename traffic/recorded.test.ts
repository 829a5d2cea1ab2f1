import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { harEntrySchema } from './har.ts';
import { recordedReader } from './recorded.ts';

const base = 'https://api.example.com/v0';
const models = `${base}/api/public/organizations/org_1/models`;
const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** A request as it is read from a recording. */
function read(request: object, keyHeader?: string, status = 200, change: object = {}) {
  const entry = harEntrySchema.parse({
    startedDateTime: '2026-11-21T12:00:00.000Z',
    time: 12,
    request: { method: 'GET', url: models, headers: [], bodySize: 0, ...request },
    response: { status, headers: [], content: { size: 2, text: '{}' } },
    ...change,
  });
  return recordedReader(base, createKeyring(), keyHeader)(entry);
}

test('of the headers of a request only those are kept that a rule needs, with the one that carries the key', () => {
  const headers = headersOf({ Accept: 'application/json', Cookie: 'session=1', 'X-Key': 'k1' });
  expect(read({ headers }, 'x-key')).toHaveProperty('exchange.request.headers', {
    accept: 'application/json',
    'x-key': 'k1',
  });
  expect(read({ headers })).toHaveProperty('exchange.request.headers', { accept: 'application/json' });
});

test('the body of a request is kept where it was recorded', () => {
  const url = `${base}/api/public/organizations/org_1/chats/chat_1/messages`;
  const text = '{"message":"hello"}';
  const sent = read({ method: 'POST', url, postData: { text }, bodySize: text.length });
  expect(sent).toMatchObject({ exchange: { request: { body: text } }, isAskedWhole: true });
  const lost = read({ method: 'POST', url });
  expect(lost).toMatchObject({ isAskedWhole: false });
  expect(lost).not.toHaveProperty('exchange.request.body');
});

test.each([
  ['a 204 has none', 204, {}, true],
  ['its length is 0', 200, { 'Content-Length': '0' }, true],
  ['it is a redirect', 301, { 'Content-Length': '0' }, false],
  ['it may not have been kept', 200, {}, false],
  ['it was not kept', 200, { 'Content-Length': '20' }, false],
] as const)('an answer without a recorded body: %s', (_why, status, headers, isWhole) => {
  const content = { size: 0, text: '' };
  expect(read({}, undefined, 200, { response: { status, headers: headersOf(headers), content } })).toMatchObject({
    answer: { status },
    isWhole,
  });
});

test('what the specification does not cover is not judged', () => {
  expect(read({ headers: headersOf({ accept: 'text/html, */*;q=0.8' }) })).toHaveProperty('answer.status', 200);
  expect(read({ headers: headersOf({ accept: 'text/event-stream' }) })).toBe('asked otherwise');
  expect(read({ url: `${models}?format=csv` })).toBe('asked otherwise');
  expect(read({ url: 'https://elsewhere.example.com/models' })).toBe('elsewhere');
  expect(read({ url: `${base}/api/public/organizations/org_1/charts` })).toBe('another operation');
});

test.each([
  [400, 'awc%00odd/models', 'from a gateway'],
  [403, '..%2F..%2Fetc%2Fpasswd/models', 'from a gateway'],
  [404, `${'a'.repeat(501)}/models`, 'from a gateway'],
  [400, 'org_1/models?cursor=x%0D%0Ay', 'from a gateway'],
  [408, 'org_1/models', 'from a gateway'],
  [413, 'org_1/models', 'from a gateway'],
  [431, 'org_1/models', 'from a gateway'],
  [407, 'org_1/models', 'from a gateway'],
  [511, 'org_1/models', 'from a gateway'],
  [403, 'org_1/models', 'judged'],
  [400, 'org_1/models?limit=1.5', 'judged'],
  [404, 'org-%C3%A9~2=/models?cursor=MDE%3D', 'judged'],
  [200, 'awc%00odd/models', 'judged'],
  [500, 'awc%00odd/models', 'judged'],
])('a %i for %s with a page instead of the error body is %s', (status, path, expected) => {
  const url = `${base}/api/public/organizations/${path}`;
  const page = { status, headers: [], content: { size: 6, text: '<html>' } };
  const found = read({ url }, undefined, status, { response: page });
  expect(typeof found === 'string' ? found : 'judged').toBe(expected);
  const body = '{"error":{"title":"NotFound","detail":"no such thing"}}';
  const own = { status, headers: [], content: { size: body.length, text: body } };
  expect(read({ url }, undefined, status, { response: own })).toHaveProperty('answer.status', status);
});

test.each([
  [12, '2026-11-21T12:00:00.000Z', 12],
  [86_400_000, '2026-11-21T12:00:00.000Z', 86_400_000],
  [86_400_001, '2026-11-21T12:00:00.000Z', 0],
  [-1, '2026-11-21T12:00:00.000Z', 0],
  [12, '2199-12-31T23:59:59.999Z', 12],
  [12, '2200-01-01T00:00:00.000Z', 0],
  [12, '1969-12-31T23:59:59.999Z', 0],
])('a recorded time of %i ms at %s counts as %i ms', (time, startedDateTime, tookMs) => {
  const isBelieved = tookMs > 0 || time !== 12;
  const sentAt = isBelieved ? Date.parse(startedDateTime) : 0;
  expect(read({}, undefined, 200, { time, startedDateTime })).toMatchObject({
    exchange: { sentAt, receivedAt: sentAt + tookMs },
  });
});

test('a status that HTTP does not have is no answer', () => {
  for (const status of [0, 101, 199, 600]) expect(read({}, undefined, status)).toBe('no answer');
  for (const status of [200, 599]) expect(read({}, undefined, status)).toHaveProperty('answer.status', status);
});
