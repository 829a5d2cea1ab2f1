import { expect, test } from 'vitest';
import { type Answer, answerOf, type Exchange } from '../core/exchange.ts';
import { routeOf } from '../core/route.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { answerPromises } from './all-promises.ts';
import { judgeOther, judgeRepetition } from './idempotency.ts';
import type { Judgement } from './judgement.ts';
import { keyTooLong, waitHolds } from './message-requests.ts';
import { distinctIds } from './messages.ts';

const prefix = '/api/public/';
const authorization = 'Bearer key-of-a-caller';

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
type Got = { readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number; readonly sentAt?: number };

/** The answer to a request such as `GET organizations/o/models`; a body that is no text is written in JSON. */
function answer(request: string, status: number, body: unknown, sent: Sent = {}, got: Got = {}): Answer {
  const [method, path = ''] = request.split(' ');
  const route = routeOf(method ?? '', `${prefix}${path}`);
  if (route === undefined || (method !== 'GET' && method !== 'POST' && method !== 'DELETE')) throw new Error(request);
  const { sentAt = 0, afterMs = 0 } = got;
  const exchange: Exchange = {
    operation: route.operation,
    caller: 'alice',
    request: {
      method,
      path: `${prefix}${path}`,
      headers: sent.headers ?? { authorization, 'content-type': 'application/json' },
      timeoutMs: 1,
      ...(sent.body === undefined ? {} : { body: textOf(sent.body) }),
    },
    sentAt,
    receivedAt: sentAt + afterMs,
    outcome: {
      kind: 'answered',
      response: {
        status,
        headers: got.headers ?? { 'content-type': 'application/json' },
        body: Buffer.from(body === undefined ? '' : textOf(body)),
      },
    },
  };
  const read = answerOf(exchange);
  if (read === undefined) throw new Error('no answer');
  return read;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function said(judgement: Judgement): string {
  return judgement === undefined ? 'nothing' : judgement === 'kept' ? 'kept' : 'broken';
}

const models = 'GET organizations/o/models';
const sources = 'GET organizations/o/data-sources';
const message = 'POST organizations/o/chats/c/messages';
const attachment = 'POST billing-accounts/b/organizations';
const account = 'GET billing-accounts/b';
const deletion = 'DELETE organizations/o/data-sources/d';
const error = { error: { title: 'Wrong', detail: 'It is wrong.' } };
const period = (billingPeriodStart: string, billingPeriodEnd: string) => ({ billingPeriodStart, billingPeriodEnd });
const quoting = { error: { title: 'key-of-a-caller' } };

function page(count: number, pagination: unknown = { hasMore: false, nextCursor: null }): unknown {
  return { data: Array.from({ length: count }, (_, index) => ({ id: `i${index}` })), pagination };
}

function more(count: number) {
  return page(count, { hasMore: true, nextCursor: `i${count - 1}` });
}

type Row = readonly [said: 'kept' | 'broken' | 'nothing', RequirementId, Answer];

function made(fields: {
  readonly chat?: object;
  readonly user?: object;
  readonly assistant?: object;
}): Readonly<Record<string, unknown>> {
  const { chat, user, assistant } = fields;
  return {
    data: {
      chat: { id: 'c', ...chat },
      userMessage: { id: 'u', ...user },
      assistantMessage: { id: 'a', ...assistant },
    },
  };
}

const [january, february] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
const dated = (...times: readonly (string | undefined)[]) => ({
  data: times.map((createdAt, index) => ({ id: `i${index}`, createdAt })),
  pagination: { hasMore: false, nextCursor: null },
});

const twiceListed = { data: [{ id: 'i' }, { id: 'i' }], pagination: { hasMore: false, nextCursor: null } };

const rows: readonly Row[] = [
  ['kept', 'paging.envelope', answer(models, 200, { data: [], pagination: {} })],
  ['broken', 'paging.envelope', answer(models, 200, { data: [], pagination: null })],
  ['broken', 'paging.envelope', answer(models, 200, { data: {}, pagination: {} })],
  ['broken', 'paging.envelope', answer(models, 200, 'text')],
  ['nothing', 'paging.envelope', answer(models, 404, error)],
  ['nothing', 'paging.envelope', answer(account, 200, {})],
  ['nothing', 'paging.meta-types', answer(models, 200, { data: [], pagination: null })],
  ['kept', 'paging.meta-types', answer(models, 200, page(0))],
  ['kept', 'paging.meta-types', answer(models, 200, page(0, { hasMore: true, nextCursor: 'i' }))],
  ['broken', 'paging.meta-types', answer(models, 200, page(0, { hasMore: 'no', nextCursor: null }))],
  ['broken', 'paging.meta-types', answer(models, 200, page(0, { hasMore: false, nextCursor: 5 }))],
  ['broken', 'paging.meta-types', answer(models, 200, page(0, { hasMore: false }))],
  ['kept', 'paging.cursor-null', answer(models, 200, more(1))],
  ['broken', 'paging.cursor-null', answer(models, 200, page(1, { hasMore: true, nextCursor: null }))],
  ['broken', 'paging.cursor-null', answer(models, 200, page(1, { hasMore: false, nextCursor: 'i0' }))],
  ['broken', 'paging.cursor-null', answer(models, 200, page(0, { hasMore: true, nextCursor: null }))],
  ['nothing', 'paging.cursor-null', answer(`${models}?limit=0`, 200, page(0, { hasMore: true, nextCursor: null }))],
  ['nothing', 'paging.cursor-is-last-id', answer(models, 200, page(1))],
  ['kept', 'paging.cursor-is-last-id', answer(models, 200, more(2))],
  ['broken', 'paging.cursor-is-last-id', answer(models, 200, page(2, { hasMore: true, nextCursor: 'i0' }))],

  ['kept', 'paging.limit', answer(`${models}?limit=2`, 200, more(2))],
  ['broken', 'paging.limit', answer(`${models}?limit=2`, 200, page(3))],
  ['broken', 'paging.limit', answer(`${models}?limit=2`, 200, more(1))],
  ['nothing', 'paging.limit', answer(`${models}?limit=2`, 200, page(1))],
  ['nothing', 'paging.limit', answer(models, 200, more(2))],
  ['nothing', 'paging.limit', answer(`${models}?limit=2&limit=3`, 200, more(3))],
  ['nothing', 'paging.limit', answer(`${models}?limit=`, 200, more(3))],
  ['kept', 'paging.limit', answer(`${models}?limit=100`, 200, more(100))],
  ['nothing', 'paging.limit', answer(`${models}?limit=101`, 200, more(3))],
  ['nothing', 'paging.limit', answer(`${models}?limit=02`, 200, more(3))],
  ['kept', 'paging.default-limit', answer(models, 200, more(50))],
  ['broken', 'paging.default-limit', answer(models, 200, more(49))],
  ['nothing', 'paging.default-limit', answer(`${models}?limit=50`, 200, more(50))],
  ['kept', 'paging.limit-minimum', answer(`${models}?limit=1`, 200, more(1))],
  ['nothing', 'paging.limit-minimum', answer(`${models}?limit=2`, 200, more(2))],
  ['kept', 'paging.limit-maximum', answer(`${models}?limit=100`, 200, more(100))],
  ['nothing', 'paging.limit-maximum', answer(`${models}?limit=99`, 200, more(99))],
  ['kept', 'paging.limit-cap', answer(`${models}?limit=101`, 200, page(100))],
  ['broken', 'paging.limit-cap', answer(`${models}?limit=101`, 200, page(101))],
  ['broken', 'paging.limit-cap', answer(`${models}?limit=`, 200, page(101))],
  ['nothing', 'paging.limit-cap', answer(`${models}?limit=100`, 200, page(101))],
  ['broken', 'paging.limit-refused', answer(`${models}?limit=101`, 200, page(100))],
  ['broken', 'paging.limit-refused', answer(`${models}?limit=0`, 200, page(0))],
  ['kept', 'paging.limit-refused', answer(`${models}?limit=101`, 400, error)],
  ['kept', 'paging.limit-refused', answer(`${models}?limit=-1`, 422, error)],
  ['nothing', 'paging.limit-refused', answer(`${models}?limit=101`, 401, error)],
  ['nothing', 'paging.limit-refused', answer(`${models}?limit=010`, 200, page(0))],
  ['nothing', 'paging.limit-refused', answer(`${models}?limit=100`, 400, error)],
  ['nothing', 'paging.limit-refused', answer(`${account}?limit=101`, 200, {})],
  ['broken', 'paging.walk', answer(models, 200, twiceListed)],
  ['nothing', 'paging.walk', answer(models, 200, page(2))],
  ['kept', 'paging.newest-first', answer(models, 200, dated(february, january, january))],
  ['broken', 'paging.newest-first', answer(models, 200, dated(january, february))],
  ['nothing', 'paging.newest-first', answer(models, 200, dated(february))],
  ['nothing', 'paging.newest-first', answer(models, 200, dated(january, undefined))],

  ['kept', 'models.success-status', answer(models, 200, page(0))],
  ['broken', 'models.success-status', answer(models, 202, page(0))],
  ['nothing', 'models.success-status', answer(sources, 202, page(0))],
  ['kept', 'models.filter', answer(`${models}?databaseConnectionId=s`, 200, listed({ databaseConnectionId: 's' }))],
  ['broken', 'models.filter', answer(`${models}?databaseConnectionId=s`, 200, listed({ databaseConnectionId: 't' }))],
  ['nothing', 'models.filter', answer(`${models}?databaseConnectionId=`, 200, listed({ databaseConnectionId: 't' }))],
  [
    'nothing',
    'models.filter',
    answer(`${models}?databaseConnectionId=s&databaseConnectionId=u`, 200, listed({ databaseConnectionId: 't' })),
  ],
  ['kept', 'models.organization', answer(models, 200, listed({ organizationId: 'o' }))],
  ['broken', 'models.organization', answer(models, 200, listed({ organizationId: 'p' }))],
  ['nothing', 'models.organization', answer(sources, 200, listed({ organizationId: 'p' }))],

  ['kept', 'messages.success-status', answer(message, 202, made({}))],
  ['broken', 'messages.success-status', answer(message, 201, made({}))],
  ['kept', 'messages.envelope', answer(message, 202, made({}))],
  ['broken', 'messages.envelope', answer(message, 202, { data: { chat: { id: 'c' }, userMessage: { id: 'u' } } })],
  ['nothing', 'messages.roles-differ', answer(message, 202, made({ user: { role: 'user' } }))],
  ['broken', 'messages.roles-differ', answer(message, 202, made({ user: { role: 'u' }, assistant: { role: 'u' } }))],
  ['kept', 'messages.roles-differ', answer(message, 202, made({ user: { role: 'u' }, assistant: { role: 'a' } }))],
  ['kept', 'messages.chat-is-the-path', answer(message, 202, made({ chat: { organizationId: 'o' } }))],
  ['broken', 'messages.chat-is-the-path', answer(message, 202, made({ chat: { id: 'd' } }))],
  ['broken', 'messages.chat-is-the-path', answer(message, 202, made({ chat: { organizationId: 'p' } }))],
  ['broken', 'messages.chat-is-the-path', answer(message, 202, made({ user: { chatId: 'd' } }))],
  ['broken', 'messages.chat-is-the-path', answer(message, 202, made({ assistant: { chatId: 'd' } }))],
  ['nothing', 'messages.chat-is-the-path', answer(message, 202, {})],
  [
    'broken',
    'messages.updated-after-created',
    answer(message, 202, made({ assistant: { createdAt: february, updatedAt: january } })),
  ],
  [
    'kept',
    'messages.updated-after-created',
    answer(message, 202, made({ user: { createdAt: january, updatedAt: january } })),
  ],
  ['nothing', 'messages.updated-after-created', answer(message, 202, made({}))],
  ['kept', 'messages.text', answer(message, 202, made({ user: { text: 'a' } }), { body: { message: 'a' } })],
  ['broken', 'messages.text', answer(message, 202, made({ user: { text: 'b' } }), { body: { message: 'a' } })],
  ['broken', 'messages.text', answer(message, 202, made({ user: { text: 5 } }), { body: { message: 'a' } })],
  ['nothing', 'messages.text', answer(message, 202, made({ user: { text: null } }), { body: { message: 'a' } })],
  ['nothing', 'messages.text', answer(message, 202, made({ user: { text: 'b' } }), { body: { message: '\uD800' } })],
  ['nothing', 'messages.text', answer(message, 202, made({ user: { text: 'b' } }), { body: { message: 5 } })],
  ['broken', 'messages.distinct-ids', answer(message, 202, made({ assistant: { id: 'u' } }))],
  ['kept', 'messages.distinct-ids', answer(message, 202, made({}))],
  ['nothing', 'messages.distinct-ids', answer(message, 202, made({ assistant: { id: 5 } }))],
  ['broken', 'messages.ok-is-finished', answer(message, 200, made({ assistant: { status: 'generating' } }))],
  ['kept', 'messages.ok-is-finished', answer(message, 200, made({ assistant: { status: 'done' } }))],
  ['nothing', 'messages.ok-is-finished', answer(message, 202, made({ assistant: { status: 'generating' } }))],
  ['nothing', 'messages.ok-is-finished', answer(message, 200, made({}))],
  ['kept', 'conflict.body', answer(message, 409, error)],
  ['broken', 'conflict.body', answer(message, 409, { error: { ...error.error, retryAfterMs: 5 } })],
  ['broken', 'conflict.body', answer(message, 409, { error: { title: 'Busy' } })],
  ['nothing', 'conflict.body', answer(message, 400, {})],
  ['nothing', 'conflict.body', answer(deletion, 409, {})],
  ['broken', 'wait.refused', answer(`${message}?wait=0`, 202, made({}))],
  ['broken', 'wait.refused', answer(`${message}?wait=301`, 202, made({}))],
  ['kept', 'wait.refused', answer(`${message}?wait=1.5`, 422, error)],
  ['nothing', 'wait.refused', answer(`${message}?wait=300`, 202, made({}))],
  ['nothing', 'wait.refused', answer(`${message}?wait=007`, 202, made({}))],
  ['nothing', 'wait.refused', answer(`${message}?wait=0&wait=0`, 202, made({}))],
  ['nothing', 'wait.refused', answer(`${message}?wait=`, 202, made({}))],
  ['nothing', 'wait.refused', answer(message, 202, made({}))],
  ['broken', 'message.empty', answer(message, 202, made({}), { body: { message: '' } })],
  ['nothing', 'message.empty', answer(message, 202, made({}), { body: { message: ' ' } })],
  ['broken', 'message.too-long', answer(message, 202, made({}), { body: { message: 'a'.repeat(10_001) } })],
  ['nothing', 'message.too-long', answer(message, 202, made({}), { body: { message: 'a'.repeat(10_000) } })],
  ['nothing', 'message.too-long', answer(message, 202, made({}), { body: { message: '😀'.repeat(10_000) } })],
  ['nothing', 'message.too-long', answer(message, 202, made({}), { body: { message: 5 } })],
  ['broken', 'message.missing', answer(message, 202, made({}), { body: {} })],
  ['kept', 'message.missing', answer(message, 400, error, { body: [] })],
  ['nothing', 'message.missing', answer(message, 202, made({}), { body: { message: 'a' } })],
  ['nothing', 'message.missing', answer(message, 202, made({}), { body: 'text' })],
  ['broken', 'message.not-a-string', answer(message, 202, made({}), { body: { message: null } })],
  ['nothing', 'message.not-a-string', answer(message, 202, made({}), { body: { message: 'a' } })],
  ['nothing', 'message.not-a-string', answer(message, 202, made({}), { body: {} })],

  ['broken', 'attach.missing', answer(attachment, 200, {}, { body: {} })],
  ['kept', 'attach.missing', answer(attachment, 400, error, { body: {} })],
  ['nothing', 'attach.missing', answer(attachment, 200, {}, { body: { organizationId: 'p' } })],
  ['broken', 'attach.missing', answer(attachment, 200, {}, { body: '{"organizationId":' })],
  ['broken', 'attach.missing', answer(attachment, 200, {}, { body: 'Attach it.' })],
  ['nothing', 'attach.missing', answer(attachment, 200, {}, { body: 'organizationId=org_1' })],
  ['nothing', 'attach.missing', answer(attachment, 200, {})],
  ['nothing', 'attach.missing', answer(message, 200, {}, { body: {} })],
  ['broken', 'attach.not-a-string', answer(attachment, 200, {}, { body: { organizationId: 5 } })],
  ['nothing', 'attach.not-a-string', answer(attachment, 200, {}, { body: { organizationId: 'p' } })],
  ['nothing', 'attach.not-a-string', answer(attachment, 200, {}, { body: {} })],
  ['kept', 'billing.record', answer(account, 200, { data: { id: 'b' } })],
  ['broken', 'billing.record', answer(account, 200, { data: { id: 'c' } })],
  [
    'kept',
    'billing.period-in-order',
    answer(account, 200, { data: period('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z') }),
  ],
  [
    'broken',
    'billing.period-in-order',
    answer(account, 200, { data: period('2026-01-01T00:00:00Z', '2025-12-01T00:00:00Z') }),
  ],
  [
    'nothing',
    'billing.period-in-order',
    answer(account, 200, { data: period('2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z') }),
  ],
  ['kept', 'delete.record', answer(deletion, 200, { data: { id: 'd' } })],
  ['broken', 'delete.record', answer(deletion, 200, { data: { id: 'e' } })],
  ['nothing', 'delete.record', answer(deletion, 404, error)],
  ['nothing', 'delete.record', answer(account, 200, { data: { id: 'e' } })],

  ['kept', 'errors.body', answer(models, 404, error)],
  ['broken', 'errors.body', answer(models, 404, { error: { title: 'Wrong', detail: null } })],
  ['broken', 'errors.body', answer(models, 502, { error: {} })],
  ['nothing', 'errors.body', answer(models, 502, '<html>')],
  ['nothing', 'errors.body', answer(models, 200, page(0))],
  ['kept', 'errors.content-type', answer(models, 404, error)],
  ['broken', 'errors.content-type', answer(models, 404, error, {}, { headers: { 'content-type': 'text/html' } })],
  ['nothing', 'errors.content-type', answer(models, 404, undefined, {}, { headers: { 'content-type': 'text/html' } })],
  ['nothing', 'errors.content-type', answer(models, 502, '<html>', {}, { headers: { 'content-type': 'text/html' } })],
  ['broken', 'robustness.json', answer(models, 404, 'text')],
  ['nothing', 'robustness.json', answer(models, 404, undefined)],
  ['broken', 'errors.retry-only-when-limited', answer(models, 503, { error: { retryAfterMs: 5 } })],
  ['nothing', 'errors.retry-only-when-limited', answer(models, 429, { error: { retryAfterMs: 5 } })],
  ['nothing', 'errors.retry-only-when-limited', answer(models, 200, { error: { retryAfterMs: 5 } })],
  ['kept', 'errors.retry-only-when-limited', answer(models, 404, error)],
  ['broken', 'errors.title-means-limited', answer(models, 503, { error: { title: 'RateLimitExceeded' } })],
  ['nothing', 'errors.title-means-limited', answer(models, 429, { error: { title: 'RateLimitExceeded' } })],
  ['nothing', 'errors.title-means-limited', answer(models, 200, { error: { title: 'RateLimitExceeded' } })],
  ['kept', 'errors.title-means-limited', answer(models, 404, error)],
  ['broken', 'errors.no-internals', answer(models, 404, { error: { title: 'SQLSTATE 42' } })],
  ['nothing', 'errors.no-internals', answer(models, 200, { error: { title: 'SQLSTATE 42' } })],
  ['kept', 'errors.no-internals', answer(`${models}?cursor=SQLSTATE`, 404, { error: { title: 'SQLSTATE' } })],
  ['broken', 'auth.not-quoted', answer(models, 401, quoting)],
  ['kept', 'auth.not-quoted', answer(models, 401, error)],
  ['nothing', 'auth.not-quoted', answer(models, 200, quoting)],
  ['nothing', 'auth.not-quoted', answer(`${models}?cursor=key-of-a-caller`, 401, quoting)],
  ['nothing', 'auth.not-quoted', answer(models, 401, { error: { title: 'short' } }, bearer('short'))],
  ['nothing', 'auth.not-quoted', answer(models, 401, { error: { title: 'undefined' } }, bearer('undefined'))],
  ['broken', 'errors.no-5xx', answer(`${models}?limit=0`, 500, error)],
  ['kept', 'errors.no-5xx', answer(`${models}?limit=0`, 499, error)],
  ['nothing', 'errors.no-5xx', answer(models, 500, error)],
  ['nothing', 'errors.no-5xx', answer(`${models}?limit=0`, 503, error)],
  ['nothing', 'errors.no-5xx', answer(`${models}?limit=0`, 429, error)],
  ['nothing', 'errors.no-5xx', answer(`${models}?limit=0`, 301, error)],
  ['kept', 'errors.no-5xx', answer(models, 400, error)],
  ['broken', 'robustness.unique-names', answer(models, 200, '{"a":1,"a":2}')],
  ['kept', 'robustness.unique-names', answer(models, 200, '{"a":1,"b":2}')],
  ['nothing', 'robustness.unique-names', answer(models, 200, 'text')],
  ['kept', 'rate.body', limited({})],
  ['kept', 'rate.body', limited({ retryAfterMs: 0.5 })],
  ['kept', 'rate.body', limited({ retryAfterMs: 0 })],
  ['broken', 'rate.body', limited({ retryAfterMs: -1 })],
  ['broken', 'rate.body', limited({ retryAfterMs: '5' })],
  ['broken', 'rate.body', limited({ title: 'Wrong' })],
  ['broken', 'rate.body', limited({ detail: 5 })],
  ['nothing', 'rate.body', answer(models, 404, error)],
];

function listed(record: object): unknown {
  return { data: [{ id: 'i', ...record }], pagination: { hasMore: false, nextCursor: null } };
}

function bearer(key: string): Sent {
  return { headers: { authorization: `Bearer ${key}` } };
}

function limited(fields: object): Answer {
  return answer(models, 429, {
    error: { title: 'RateLimitExceeded', detail: 'Too many requests.', retryAfterMs: 5, ...fields },
  });
}

test.each(rows.map(([verdict, requirement, subject]) => ({ verdict, requirement, subject, asked: askedIn(subject) })))(
  '$requirement, $asked: $verdict',
  ({ verdict, requirement, subject }) => {
    const own = answerPromises.filter((promise) => promise.requirement === requirement);
    expect(own).toHaveLength(1);
    expect(own.map(({ judge }) => said(judge(subject)))).toEqual([verdict]);
  },
);

function askedIn({ exchange: { request }, status }: Answer): string {
  return `${request.method} ${request.path} ${status}`;
}

test.each([
  ['kept', '3', 202, 2500],
  ['broken', '3', 202, 2499],
  ['nothing', '3', 200, 0],
  ['nothing', '03', 202, 0],
  ['nothing', '0', 202, 0],
] as const)('wait.holds, %s: wait=%s is answered %i after %i ms', (verdict, wait, status, afterMs) => {
  const held = answer(`${message}?wait=${wait}`, status, made({}), {}, { afterMs });
  expect(said(waitHolds.judge({ answer: held, toleranceMs: 500 }))).toBe(verdict);
});

test.each([
  ['nothing', 255, 202],
  ['broken', 256, 202],
  ['kept', 256, 400],
  ['nothing', 256, 404],
] as const)('idempotency.key-too-long, %s: a key of %i characters is answered %i', (verdict, length, status) => {
  expect(said(keyTooLong.judge({ answer: answer(message, status, made({})), key: 'k'.repeat(length) }))).toBe(verdict);
});

test('one message ID in two answers is reported with both of them', () => {
  const [one, other] = [answer(message, 202, made({})), answer(message, 202, made({ user: { id: 'v' } }))];
  expect(distinctIds.judge([one, other])).toMatchObject({
    actual: '"a" twice',
    evidence: [one.exchange, other.exchange],
  });
});

type Fields = Parameters<typeof made>[0];

/** How the repetition of an accepted message is judged. */
function repeated(first: readonly [number, Fields], again: readonly [number, Fields], afterMs = 0): string {
  const [one, other] = [first, again].map(([status, fields], index) =>
    answer(message, status, made(fields), {}, { sentAt: index * afterMs }),
  );
  if (one === undefined || other === undefined) throw new Error('no answer');
  return said(judgeRepetition({ first: one, again: other }));
}

/** A response whose parts all have the ID p, and these times. */
function parts(...times: readonly (string | undefined)[]): Fields {
  return { assistant: { status: 'done', parts: times.map((createdAt) => ({ id: 'p', createdAt })) } };
}

const done = { assistant: { status: 'done' } };
const generating = { assistant: { status: 'generating' } };

test.each<[string, string, readonly [number, Fields], readonly [number, Fields], number?]>([
  ['kept', 'the same', [202, {}], [202, {}]],
  ['broken', 'a refusal', [202, {}], [404, {}]],
  ['broken', 'another success', [202, {}], [201, {}]],
  ['broken', 'another message', [202, {}], [202, { user: { id: 'v' } }]],
  ['broken', 'another response', [202, {}], [202, { assistant: { id: 'v' } }]],
  ['nothing', 'no ID', [202, {}], [202, { user: { id: 5 } }]],
  ['broken', 'a complete response as accepted only', [200, done], [202, done]],
  ['kept', 'a response of which nothing is known', [200, {}], [202, {}]],
  ['kept', 'a response that was generating', [202, generating], [202, generating]],
  ['kept', 'a complete response that a copy shows as generating', [200, done], [202, generating], 5000],
  ['broken', 'a complete response that is generating again', [200, done], [202, generating], 5001],
  ['kept', 'a response that was never shown as complete', [200, {}], [202, generating], 5001],
  ['broken', 'another text', [202, { user: { text: 'a' } }], [202, { user: { text: 'b' } }]],
  ['broken', 'no text any more', [202, { user: { text: 'a' } }], [202, {}]],
  ['kept', 'a text that was empty', [202, { user: { text: '' } }], [202, {}]],
  ['broken', 'another role', [202, { user: { role: 'a' } }], [202, { user: { role: 'b' } }]],
  ['kept', 'a role that was not shown', [202, {}], [202, { user: { role: 'b' } }]],
  ['broken', 'another parent', [202, { user: { parentId: 'a' } }], [202, { user: { parentId: 'b' } }]],
  ['kept', 'a parent that was not known', [202, { user: { parentId: '' } }], [202, { user: { parentId: 'b' } }]],
  ['kept', 'a placeholder for a response', [202, { assistant: { role: 'a' } }], [202, { assistant: { role: 'b' } }]],
  ['broken', 'another role of a response', [200, { assistant: { role: 'a' } }], [200, { assistant: { role: 'b' } }]],
  ['broken', 'another time', [202, { user: { createdAt: january } }], [202, { user: { createdAt: february } }]],
  [
    'kept',
    'a time five seconds later',
    [202, { user: { createdAt: january } }],
    [202, { user: { createdAt: '2026-01-01T00:00:05Z' } }],
  ],
  ['kept', 'in minutes', [202, { user: { createdAt: january } }], [202, { user: { createdAt: '2026-01-01T00:01Z' } }]],
  [
    'broken',
    'a time that is more than five seconds later',
    [202, { user: { createdAt: january } }],
    [202, { user: { createdAt: '2026-01-01T00:00:05.001Z' } }],
  ],
  ['broken', 'a chat made anew', [202, { chat: { createdAt: january } }], [202, { chat: { createdAt: february } }]],
  ['broken', 'a part made anew', [200, parts(january)], [200, parts(february)]],
  ['kept', 'parts with one ID', [200, parts(january, january)], [200, parts(february, february)]],
  ['kept', 'a part of a placeholder', [202, parts(january)], [200, parts(february)]],
  ['kept', 'a time without an offset', [202, { user: { createdAt: january } }], [202, { user: { createdAt: '2026' } }]],
])('a repetition is %s: %s', (verdict, _what, first, again, afterMs) => {
  expect(repeated(first, again, afterMs)).toBe(verdict);
});

test.each([
  ['kept', 202, { user: { id: 'v' }, assistant: { id: 'w' } }],
  ['broken', 202, { user: { id: 'a' }, assistant: { id: 'w' } }],
  ['broken', 202, { user: { id: 'v' } }],
  ['kept', 404, {}],
  ['kept', 202, { user: { id: 5 }, assistant: { id: 5 } }],
] as const)('another key, %s: it is answered %i with %j', (verdict, status, fields) => {
  const [first, again] = [answer(message, 202, made({})), answer(message, status, made(fields))];
  expect(said(judgeOther({ first, again }))).toBe(verdict);
});
