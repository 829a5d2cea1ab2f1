import { expect, test } from 'vitest';
import { sampleBodies } from '../../schemas/sample-bodies.ts';
import { paths } from '../../core/paths.ts';
import type { Exchange } from '../../core/exchange.ts';
import type { Sure } from '../schedule/load-request.ts';
import { judgeAnswer } from './judge-answer.ts';

type Asked = Pick<Exchange, 'operation' | 'request'>;

function asked(operation: Asked['operation'], method: 'GET' | 'POST', path: string, body?: unknown): Asked {
  const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return { operation, request: { method, path, headers, timeoutMs: 1000, ...sent } };
}

const models = asked('listModels', 'GET', paths.models('org_1', { limit: 2 }));
const billing = asked('getBillingAccount', 'GET', paths.billingAccount('ba_1'));
const message = asked('sendMessage', 'POST', paths.messages('org_1', 'cht_1', {}), { message: 'Hello' });

type Received = { readonly status: number; readonly contentType: string; readonly body: string };

function received(status: number, json: unknown, over: Partial<Received> = {}): Received {
  return { status, contentType: 'application/json', body: json === undefined ? '' : JSON.stringify(json), ...over };
}

function judged(
  { operation, request }: Asked,
  { status, contentType, body }: Received,
  { sure, tookMs = 0 }: { readonly sure?: Sure; readonly tookMs?: number } = {},
) {
  const response = { status, headers: { 'content-type': contentType }, body: Buffer.from(body) };
  const outcome = { kind: 'answered', response } as const;
  return judgeAnswer({ operation, caller: 'alice', request, sentAt: 0, receivedAt: tookMs, outcome }, sure);
}

function model(id: string, over = {}) {
  return { ...sampleBodies.model(), id, ...over };
}

function page(data: readonly unknown[], nextCursor: string | null, hasMore: boolean) {
  return { data, pagination: { nextCursor, hasMore } };
}

function exchangeOf(over = {}) {
  const { chat, message: of } = sampleBodies;
  return { data: { chat: chat(), userMessage: of(), assistantMessage: { ...of(), id: 'msg_2' }, ...over } };
}

const limited = { error: { title: 'RateLimitExceeded', detail: 'Slow down.', retryAfterMs: 12.5 } };

test.each<readonly [string, Asked, Received]>([
  ['a page', models, received(200, page([model('a'), model('b')], 'b', true))],
  ['a last page', models, received(200, page([model('a')], null, false))],
  ['an empty page', models, received(200, page([], null, false))],
  [
    'two times within a second, one of them without its fraction',
    models,
    received(
      200,
      page(
        [model('a', { createdAt: '2026-01-01T00:00:01Z' }), model('b', { createdAt: '2026-01-01T00:00:01.250Z' })],
        null,
        false,
      ),
    ),
  ],
  [
    'another JSON content type',
    billing,
    received(200, { data: sampleBodies.billingAccount() }, { contentType: 'application/vnd.api+json; charset=utf-8' }),
  ],
  ['a bare billing account', billing, received(200, { data: { id: 'ba_1' } })],
  ['a message', message, received(202, exchangeOf())],
  [
    'a message that shows next to nothing',
    message,
    received(200, {
      data: { chat: { id: 'cht_1' }, userMessage: { id: '1' }, assistantMessage: { id: '2', chatId: null } },
    }),
  ],
  ['an error', models, received(500, { error: { title: 'x', detail: 'y', more: 1 } })],
  ['a rate limit', models, received(429, limited)],
])('%s is right', (_name, question, answer) => {
  expect(judged(question, answer)).toEqual([]);
});

test.each<readonly [string, Asked, Received, string]>([
  ['no JSON', models, received(200, undefined, { body: '<html>' }), 'robustness.json'],
  ['text/plain', models, received(200, page([], null, false), { contentType: 'text/plain' }), 'errors.content-type'],
  ['a wrong content type', models, received(200, {}, { contentType: 'text/html' }), 'errors.content-type'],
  [
    'a model without a field',
    models,
    received(200, page([{ ...model('a'), grain: undefined }], null, false)),
    'models.required-fields',
  ],
  ['an empty success', models, received(200, undefined), 'paging.envelope'],
  [
    'a page over its limit',
    models,
    received(200, page([model('a'), model('b'), model('c')], null, false)),
    'paging.limit',
  ],
  ['a short page with more to come', models, received(200, page([model('a')], 'a', true)), 'paging.limit'],
  ['a cursor on the last page', models, received(200, page([model('a')], 'a', false)), 'paging.cursor-null'],
  [
    'no cursor with more to come',
    models,
    received(200, page([model('a'), model('b')], null, true)),
    'paging.cursor-null',
  ],
  [
    'a cursor that is not the last item',
    models,
    received(200, page([model('a'), model('b')], 'a', true)),
    'paging.cursor-is-last-id',
  ],
  ['an item twice', models, received(200, page([model('a'), model('a')], 'a', true)), 'paging.walk'],
  [
    'oldest first',
    models,
    received(200, page([model('a', { createdAt: '2026-01-01T00:00:00Z' }), model('b')], 'b', true)),
    'paging.newest-first',
  ],
  [
    "another organization's model",
    models,
    received(200, page([model('a', { organizationId: 'org_2' })], null, false)),
    'models.organization',
  ],
  ['another account', billing, received(200, { data: { id: 'ba_2' } }), 'billing.record'],
  ['an accepted message with 201', message, received(201, exchangeOf()), 'messages.success-status'],
  ['another text', message, received(202, exchangeOf({ userMessage: { id: 'm', text: 'hello' } })), 'messages.text'],
  [
    "another chat's message",
    message,
    received(202, exchangeOf({ chat: { id: 'cht_2' } })),
    'messages.chat-is-the-path',
  ],
  ['an error without detail', models, received(404, { error: { title: 'x' } }), 'errors.body'],
  [
    'retryAfterMs elsewhere',
    models,
    received(500, { error: { title: 'x', detail: 'y', retryAfterMs: 1 } }),
    'errors.retry-only-when-limited',
  ],
  [
    'the title elsewhere',
    models,
    received(503, { error: { title: 'RateLimitExceeded', detail: 'y' } }),
    'errors.title-means-limited',
  ],
  [
    'a 429 without retryAfterMs',
    models,
    received(429, { error: { title: 'RateLimitExceeded', detail: 'y' } }),
    'rate.body',
  ],
])('%s is wrong', (_name, question, answer, rule) => {
  expect(judged(question, answer).map((finding) => finding.rule)).toContain(rule);
});

const waiting = asked('sendMessage', 'POST', paths.messages('org_1', 'cht_1', { wait: 3 }), { message: 'Hello' });

test.each([
  ['a 202 at once', 202, 10, 'new key', true],
  ['a 202 when the wait is over', 202, 2900, 'new key', false],
  ['a finished message at once', 200, 10, 'new key', false],
  ['a 202 at once to a key that may have been sent before', 202, 10, undefined, false],
] as const)('a message with wait=3: %s', (_name, status, tookMs, sure, isBroken) => {
  const rules = judged(waiting, received(status, exchangeOf()), { tookMs, ...(sure && { sure }) }).map(
    ({ rule }) => rule,
  );
  expect(rules.includes('wait.holds')).toBe(isBroken);
});

const later = asked('listModels', 'GET', paths.models('org_1', { limit: 2, cursor: 'a' }));
const laterSources = asked('listDataSources', 'GET', paths.dataSources('org_1', { limit: 2, cursor: 'a' }));

test.each([
  ['shows the item of its cursor', later, 'a', 'next page', true],
  ['goes on after it', later, 'c', 'next page', false],
  ['was asked for with a cursor that no page gave', later, 'a', undefined, false],
  ['is of data sources, where a deleted one may still be listed', laterSources, 'a', 'next page', false],
] as const)('a later page %s', (_name, question, id, sure, isBroken) => {
  const found = judged(question, received(200, page([model(id)], null, false)), sure && { sure });
  expect(found.some(({ rule }) => rule === 'paging.walk')).toBe(isBroken);
});

test('nothing that a target says is long or dangerous in a finding', () => {
  const [finding] = judged(billing, received(200, { data: { id: `\u001b[31m${'x'.repeat(10_000)}` } }));
  expect(finding?.actual.length).toBeLessThan(400);
  expect(finding?.actual).not.toContain('\u001b');
});
