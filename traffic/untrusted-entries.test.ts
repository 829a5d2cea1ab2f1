import { expect, test } from 'vitest';
import { baseUrl, brokenIn, harOf } from '../testing/try-traffic.ts';

const chat = '/api/public/organizations/org_1/chats/chat_1/messages';

/** Of another data source than was asked for, in a page of too many. */
const json = JSON.stringify({
  data: [{ id: 'm1', organizationId: 'org_2' }],
  pagination: { nextCursor: 'm1', hasMore: false },
});

/** An answer that breaks promises, as it is recorded; `change` is what a recorder or a person made of it. */
function wrongEntry(change: {
  readonly entry?: object;
  readonly request?: object;
  readonly response?: object;
  readonly content?: object;
}) {
  return {
    startedDateTime: '2026-11-21T12:00:00.000Z',
    time: 12,
    request: {
      method: 'GET',
      url: `${baseUrl}/api/public/organizations/org_1/models?limit=10`,
      headers: [{ name: 'Authorization', value: 'Bearer sk-0123456789abcdef' }],
      bodySize: 0,
      ...change.request,
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: json.length, mimeType: 'application/json', text: json, ...change.content },
      ...change.response,
    },
    ...change.entry,
  };
}

/** Shows where the API is, and breaks nothing. */
const bystander = wrongEntry({ content: { size: 0, text: undefined } });

const wrong = ['models.organization', 'paging.cursor-null'];

test.each([
  ['as it is', {}],
  ['in base64', { content: { text: Buffer.from(json).toString('base64'), encoding: 'base64' } }],
  [
    'in base64 with line breaks',
    { content: { text: Buffer.from(json).toString('base64').replace(/.{60}/g, '$&\r\n'), encoding: 'BASE64' } },
  ],
  ['with the length as it travelled', { content: { size: 40, compression: json.length - 40 } }],
  ['without a length', { content: { size: undefined } }],
  ['without a time', { entry: { startedDateTime: 'yesterday', time: -1 } }],
  ['with a clock that goes back', { entry: { startedDateTime: '1971-01-01T00:00:00Z' } }],
  [
    'without any header',
    { request: { headers: [] }, response: { status: 200, content: { size: json.length, text: json } } },
  ],
])('a wrong answer is accused %s', (_how, change) => {
  expect(brokenIn(harOf([bystander, wrongEntry(change)]), undefined)).toEqual(expect.arrayContaining(wrong));
});

test.each([
  ['was not recorded', { content: { text: undefined } }],
  ['was recorded as nothing', { content: { text: '' } }],
  ['is only its beginning', { content: { text: json.slice(0, 40) } }],
  ['is only its beginning, as a comment says', { content: { comment: 'only the beginning' } }],
  ['is longer than it was', { content: { text: json.replace('org_2', 'org_2_and_more') } }],
  ['was redacted', { content: { size: -1, text: json.replace('org_2', '[REDACTED]') } }],
  ['was masked', { content: { size: -1, text: json.replace('org_2', '*****') } }],
  ['lost characters', { content: { size: -1, text: json.replace('org_2', 'org_\u{fffd}') } }],
  ['is in an unknown coding', { content: { encoding: 'rot13' } }],
  ['is broken base64', { content: { encoding: 'base64', text: '%%%' } }],
  ['is a number', { content: { text: 5 } }],
])('an answer is not judged whose body %s', (_how, change) => {
  expect(brokenIn(harOf([bystander, wrongEntry(change)]), undefined)).toEqual([]);
});

test.each([
  ['had no answer', { response: { status: 0 } }],
  ['had a status that is none', { response: { status: 200.5 } }],
  ['was answered 304', { response: { status: 304 } }],
  [
    'was answered by a gateway',
    { response: { status: 502, headers: [], content: { size: 15, text: '<h1>Sorry.</h1>' } } },
  ],
  ['came from the memory of the browser', { entry: { _fromCache: 'memory' } }],
  ['came from a service worker', { response: { ...wrongEntry({}).response, _fetchedViaServiceWorker: true } }],
  ['was a preflight', { request: { method: 'OPTIONS' } }],
  ['was a HEAD', { request: { method: 'HEAD' } }],
  ['went to another origin', { request: { url: 'https://other.example.com/api/public/organizations/org_1/models' } }],
  [
    'went to the port beside it',
    { request: { url: 'https://api.example.com:8443/v0/api/public/organizations/o/models' } },
  ],
  ['was for another operation', { request: { url: `${baseUrl}/api/public/organizations/org_1/insights` } }],
  ['went deeper', { request: { url: `${baseUrl}/api/public/organizations/org_1/models/m1` } }],
  ['had an ID that is none', { request: { url: `${baseUrl}/api/public/organizations/%ff/models` } }],
  [
    'had a parameter that is not specified',
    { request: { url: `${baseUrl}/api/public/organizations/org_1/models?sort=name` } },
  ],
  ['asked for an event stream', { request: { headers: [{ name: 'Accept', value: 'text/event-stream' }] } }],
  ['had no URL', { request: { url: 'about:blank' } }],
])('an entry is not judged that %s', (_how, change) => {
  expect(brokenIn(harOf([bystander, wrongEntry(change), null, 7, []]), undefined, baseUrl)).toEqual([]);
});

test.each([
  ['with a key, for it may repeat an earlier one', 'idempotency-key', [{ name: 'Idempotency-Key', value: 'k2' }], []],
  ['where the header of keys is not known', undefined, [], []],
  ['without a key', 'idempotency-key', [], ['messages.text']],
])('a text that comes back changed is accused, or not, %s', (_how, keyHeader, headers, expected) => {
  const answer = JSON.stringify({
    data: {
      chat: { id: 'chat_1' },
      userMessage: { id: 'u', text: 'hello' },
      assistantMessage: { id: 'a' },
    },
  });
  const asked = JSON.stringify({ message: ' hello ' });
  const sent = (more: readonly object[]) =>
    wrongEntry({
      request: {
        method: 'POST',
        url: `${baseUrl}${chat}`,
        headers: [{ name: 'content-type', value: 'application/json' }, ...more],
        bodySize: asked.length,
        postData: { mimeType: 'application/json', text: asked },
      },
      content: { size: answer.length, text: answer },
    });
  const keyed = sent([{ name: 'Idempotency-Key', value: 'k1' }]);
  expect(brokenIn(harOf([keyed, sent(headers)]), keyHeader)).toEqual(expected);
});
