import { expect, test } from 'vitest';
import { type Answer, answerOf } from '../core/exchange.ts';
import { routeOf } from '../core/route.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { answerPromises } from './all-promises.ts';
import { judgeRepetition } from './idempotency.ts';
import type { Judgement } from './judgement.ts';

/** The answer to a request such as `POST organizations/o/chats/c/messages`. */
function answered(request: string, status: number, body: unknown, sent: { readonly body?: unknown } = {}): Answer {
  const [method, place = ''] = request.split(' ');
  const path = `/api/public/${place}`;
  const route = routeOf(method ?? '', path);
  if (route === undefined || (method !== 'POST' && method !== 'DELETE')) throw new Error(request);
  const headers = { authorization: 'Bearer key-of-a-caller', 'content-type': 'application/json' };
  const read = answerOf({
    operation: route.operation,
    caller: 'alice',
    request: { method, path, headers, timeoutMs: 1, ...('body' in sent ? { body: JSON.stringify(sent.body) } : {}) },
    sentAt: 0,
    receivedAt: 0,
    outcome: { kind: 'answered', response: { status, headers, body: Buffer.from(JSON.stringify(body)) } },
  });
  if (read === undefined) throw new Error('no answer');
  return read;
}

function said(judgement: Judgement): string {
  return judgement === undefined ? 'nothing' : judgement === 'kept' ? 'kept' : 'broken';
}

type Fields = { readonly chat?: object; readonly user?: object; readonly assistant?: object };

function made({ chat, user, assistant }: Fields): unknown {
  return {
    data: {
      chat: { id: 'c', ...chat },
      userMessage: { id: 'u', ...user },
      assistantMessage: { id: 'a', ...assistant },
    },
  };
}

const message = 'POST organizations/o/chats/c/messages';
const deletion = 'DELETE organizations/o/data-sources/d';
const error = { error: { title: 'Wrong', detail: 'It is wrong.' } };

/** A message of a chat, each created at that second. */
function createdAt(chat: number | undefined, user: number, assistant: number | undefined): Answer {
  const at = (second: number | undefined) =>
    second === undefined ? {} : { createdAt: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z` };
  return answered(message, 202, made({ chat: at(chat), user: at(user), assistant: at(assistant) }));
}

const rows: readonly (readonly ['kept' | 'broken' | 'nothing', RequirementId, Answer])[] = [
  ['kept', 'wait.refused', answered(`${message}?wait=0`, 400, error)],
  ['broken', 'wait.refused', answered(`${message}?wait=0`, 202, made({}))],
  ['broken', 'wait.refused', answered(`${message}?wait=301`, 202, made({}))],
  ['broken', 'wait.refused', answered(`${message}?wait=3a`, 202, made({}))],
  ['broken', 'wait.refused', answered(`${message}?wait=1000`, 202, made({}))],
  ['nothing', 'wait.refused', answered(`${message}?wait=300`, 202, made({}))],
  ['nothing', 'wait.refused', answered(`${message}?wait=007`, 202, made({}))],
  ['nothing', 'wait.refused', answered(`${message}?wait=`, 202, made({}))],
  ['nothing', 'wait.refused', answered(`${message}?wait=1&wait=0`, 202, made({}))],
  ['nothing', 'wait.refused', answered(message, 202, made({}))],
  ['kept', 'messages.text', answered(message, 202, made({ user: { text: 'hi' } }), { body: { message: 'hi' } })],
  ['broken', 'messages.text', answered(message, 202, made({ user: { text: 'ho' } }), { body: { message: 'hi' } })],
  ['broken', 'messages.text', answered(message, 202, made({ user: { text: 5 } }), { body: { message: 'hi' } })],
  ['nothing', 'messages.text', answered(message, 202, made({}), { body: { message: 'hi' } })],
  ['nothing', 'messages.text', answered(message, 202, made({ user: { text: 'hi' } }), { body: { message: 5 } })],
  ['kept', 'messages.created-in-order', createdAt(1, 2, 3)],
  ['kept', 'messages.created-in-order', createdAt(7, 2, 2)],
  ['kept', 'messages.created-in-order', createdAt(undefined, 7, 2)],
  ['broken', 'messages.created-in-order', createdAt(8, 2, 3)],
  ['broken', 'messages.created-in-order', createdAt(1, 30, 2)],
  ['nothing', 'messages.created-in-order', createdAt(undefined, 2, undefined)],
  [
    'broken',
    'messages.chat-updated-after-created',
    answered(message, 202, made({ chat: { createdAt: '2026-02-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' } })),
  ],
  [
    'kept',
    'messages.chat-updated-after-created',
    answered(message, 202, made({ chat: { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' } })),
  ],
  ['nothing', 'messages.chat-updated-after-created', answered(message, 202, made({}))],
  ['kept', 'messages.roles-differ', answered(message, 202, made({ user: { role: 'a' }, assistant: { role: 'b' } }))],
  ['broken', 'messages.roles-differ', answered(message, 202, made({ user: { role: 'a' }, assistant: { role: 'a' } }))],
  ['nothing', 'messages.roles-differ', answered(message, 202, made({ user: { role: 5 }, assistant: { role: 5 } }))],
  ['nothing', 'messages.roles-differ', answered(message, 202, made({ user: { role: 'a' } }))],
  ['kept', 'messages.message-types', answered(message, 202, made({}))],
  ['broken', 'messages.message-types', answered(message, 202, made({ assistant: { text: 5 } }))],
  ['nothing', 'messages.message-types', answered(message, 202, { data: { userMessage: [], assistantMessage: 5 } })],
  ['broken', 'delete.record-types', answered(deletion, 200, { data: { id: 5 } })],
  ['nothing', 'delete.record-types', answered(deletion, 200, { data: null })],
  ['nothing', 'delete.record-types', answered(deletion, 200, { data: 'd' })],
];

test.each(
  rows.map(([verdict, requirement, answer]) => ({ verdict, requirement, answer, path: answer.exchange.request.path })),
)('$requirement, $path: $verdict', ({ verdict, requirement, answer }) => {
  const own = answerPromises.filter((promise) => promise.requirement === requirement);
  expect(own.map(({ judge }) => said(judge(answer)))).toEqual([verdict]);
});

/** A message with its text in two parts. */
const shown = { text: 'a b', parts: [{ content: 'a' }, { content: 'b', phase: 'answer' }] };
/** A message after which the assistant says more in a phase that is not part of its text. */
const pondered = (phase: string) => ({ text: 'a b', parts: [{ content: 'Let me see.', phase }] });

test.each<[string, string, readonly [number, Fields], readonly [number, Fields]]>([
  ['kept', 'a text that was not shown', [202, {}], [202, { user: { text: 'b' } }]],
  ['broken', 'another text of a response', [200, { assistant: { text: 'a' } }], [200, { assistant: { text: 'b' } }]],
  ['broken', 'an empty text of a response', [200, { assistant: { text: 'a' } }], [200, { assistant: { text: '' } }]],
  [
    'kept',
    'a text of a response that was empty',
    [200, { assistant: { text: '' } }],
    [200, { assistant: { text: 'b' } }],
  ],
  [
    'kept',
    'a text of a response that was edited since',
    [200, { assistant: { text: 'a', updatedAt: '2026-01-01T00:00:00Z' } }],
    [200, { assistant: { text: 'b', updatedAt: '2026-01-01T00:00:05Z' } }],
  ],
  [
    'broken',
    'another text of a response that was not edited',
    [200, { assistant: { text: 'a', updatedAt: '2026-01-01T00:00:00Z' } }],
    [200, { assistant: { text: 'b', updatedAt: '2026-01-01T00:00:00.000Z' } }],
  ],
  ['kept', 'a text of a response that was not shown', [200, {}], [200, { assistant: { text: 'b' } }]],
  ['broken', 'no parts of a response', [200, { assistant: shown }], [200, { assistant: { ...shown, parts: [] } }]],
  ['broken', 'no parts of a question', [200, { user: shown }], [200, { user: { ...shown, parts: [] } }]],
  ['kept', 'without charts, which may be deleted', [200, { assistant: { charts: [{}] } }], [200, {}]],
  [
    'kept',
    'without commentary',
    [200, { assistant: pondered('commentary') }],
    [200, { assistant: { text: 'a b', parts: [] } }],
  ],
  [
    'kept',
    'without thoughts',
    [200, { assistant: pondered('analysis') }],
    [200, { assistant: { text: 'a b', parts: [] } }],
  ],
  ['broken', 'null for the parts of a question', [200, { user: shown }], [200, { user: { ...shown, parts: null } }]],
  ['broken', 'without the field of the parts', [200, { assistant: shown }], [200, { assistant: { text: 'a b' } }]],
  [
    'kept',
    'other parts of a response',
    [200, { assistant: shown }],
    [200, { assistant: { ...shown, parts: [{ content: 'a b' }] } }],
  ],
  ['kept', 'parts of a response that is generating again', [200, { assistant: shown }], [202, {}]],
  ['kept', 'parts of a response that had none', [202, { assistant: shown }], [200, {}]],
  [
    'kept',
    'no parts of a response that was edited since',
    [200, { assistant: { ...shown, updatedAt: '2026-01-01T00:00:00Z' } }],
    [200, { assistant: { parts: [], updatedAt: '2026-01-01T00:00:05Z' } }],
  ],
])('a repetition is %s: %s', (verdict, _what, ...answers) => {
  const [first, again] = answers.map(([status, fields]) => answered(message, status, made(fields)));
  if (first === undefined || again === undefined) throw new Error('there are two answers');
  expect(said(judgeRepetition({ first, again }))).toBe(verdict);
});
