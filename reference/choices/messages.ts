import { assistantChoice, reasons } from './assistant.ts';
import type { JsonObject } from '../http/json.ts';
import type { Rules } from '../rules/rules.ts';
import type { Altered, Choice } from '../variation.ts';

/** As some languages count: an e with a combining accent is one character, and so is a line break of two. */
function countGraphemes(text: string): number {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length;
}

const withoutParent = reasons(
  'No message has a parent.',
  'messages.parent-in-chat',
  'messages.parent-is-another',
  'idempotency.no-duplicate/pause',
  'idempotency.no-duplicate/failover',
);
const withoutCreation = reasons(
  'No time of a creation is shown.',
  'messages.created-now',
  'messages.created-in-order',
  'messages.chat-created-once',
);
const withoutUpdate = reasons(
  'No time of an update is shown.',
  'messages.updated-after-created',
  'messages.chat-updated-after-created',
);

function sparse(record: JsonObject, ...kept: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => kept.includes(name)));
}

/** Any principal may send messages. */
function anybodySends(rules: Rules): Altered {
  return {
    allowed: (roles, request) => request.operation === 'sendMessage' || rules.allowed(roles, request),
  };
}

/** How often a held request looks whether its response has finished, in milliseconds. */
const looksEveryMs = 1900;

function clampedWait(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(300, Math.max(1, seconds));
}

/** A wait out of range is replaced; 0 is an answer at once. */
function insteadOfRefusal(instead: (seconds: number) => number): () => Altered {
  return () => ({ wait: (accepted, _request, seconds) => accepted ?? instead(seconds) });
}

export const messageChoices: readonly Choice[] = [
  assistantChoice,
  {
    axis: 'client-gone',
    section: '4.2',
    sentence: 'What happens to a message whose client disconnects while the request is held.',
    default: 'goes-on',
    values: {
      'goes-on': {},
      'response-ends': { alter: () => ({ whenClientLeaves: () => 'response-ends' }) },
      withdrawn: { alter: () => ({ whenClientLeaves: () => 'withdrawn' }) },
    },
  },
  {
    axis: 'held-until',
    section: '4.2',
    sentence:
      'When a held request is answered whose response has finished: at once, or, if it took a second or more, when a worker looks the next time.',
    default: 'finished',
    values: {
      finished: {},
      'next-look': {
        alter: ({ heldMs }) => ({
          heldMs: (wait, remainingMs, request) => {
            const looks = remainingMs < 1000 ? 0 : Math.ceil(remainingMs / looksEveryMs);
            return heldMs(wait, Math.max(remainingMs, looks * looksEveryMs), request);
          },
        }),
      },
    },
    blocks: {
      'next-look': reasons(
        'A request may be held for its whole wait.',
        'conflict.no-trace/prolonged',
        'conflict.refused/to-the-end',
      ),
    },
  },
  {
    axis: 'wait-out-of-range',
    section: '8',
    sentence: 'The answer to a wait that is not an integer from 1 to 300.',
    default: 'refuse',
    values: {
      refuse: {},
      clamp: { alter: insteadOfRefusal(clampedWait) },
      ignore: { alter: insteadOfRefusal(() => 0) },
      'read-leniently': {
        alter: () => ({
          ...insteadOfRefusal(clampedWait)(),
          readWait: (text) => Number.parseInt(text, 10),
        }),
      },
    },
    warns: { clamp: ['wait.refused'], ignore: ['wait.refused'], 'read-leniently': ['wait.refused'] },
  },
  {
    axis: 'message-characters',
    section: '8',
    sentence: 'Whether characters are counted as code points, UTF-16 units or graphemes.',
    default: 'code-points',
    values: {
      'code-points': {},
      units: { alter: () => ({ messageLength: (text) => text.length }) },
      graphemes: { alter: () => ({ messageLength: countGraphemes }) },
    },
  },
  {
    axis: 'odd-characters',
    section: '4.2',
    sentence: 'What happens to NUL, control characters and unpaired surrogates in a message.',
    default: 'kept',
    values: {
      kept: {},
      refused: {
        alter: () => ({
          charactersAccepted: (text) => text.isWellFormed() && !/[^\P{C}\t\r\n\p{Cf}\p{Co}]/u.test(text),
        }),
      },
      'without-nul': { alter: () => ({ charactersAccepted: (text) => !text.includes('\0') }) },
      'surrogates-replaced': { alter: () => ({ messageText: (text) => text.toWellFormed() }) },
    },
  },
  {
    axis: 'message-role',
    section: '5',
    sentence: 'Whether a principal without a role in the organization may send messages.',
    default: 'admin',
    values: { admin: {}, anybody: { alter: anybodySends } },
    blocks: {
      anybody: reasons('Every caller may write to every chat.', 'message.refused-no-trace'),
    },
  },
  {
    axis: 'assistant-status',
    section: '2.4',
    sentence: 'The status values of an assistant message. The specification shows only generating.',
    default: 'generating-completed',
    values: {
      'generating-completed': {},
      'generating-complete': { alter: () => ({ assistantStatus: (done) => (done ? 'complete' : 'generating') }) },
      'generating-idle': { alter: () => ({ assistantStatus: (done) => (done ? 'idle' : 'generating') }) },
      'generating-unheard-of': { alter: () => ({ assistantStatus: (done) => (done ? 'FERTIG' : 'generating') }) },
    },
  },
  {
    axis: 'user-status',
    section: '3',
    sentence: 'The status of a user message.',
    default: 'completed',
    values: {
      completed: {},
      'like-the-answer': { alter: () => ({ userStatus: (done) => (done ? 'completed' : 'generating') }) },
      sent: { alter: () => ({ userStatus: () => 'sent' }) },
    },
  },
  {
    axis: 'chat-status',
    section: '2.3',
    sentence: 'The status values of a chat. The specification shows only generating.',
    default: 'generating-idle',
    values: {
      'generating-idle': {},
      'generating-ready': { alter: () => ({ chatStatus: (busy) => (busy ? 'generating' : 'ready') }) },
      'always-active': { alter: () => ({ chatStatus: () => 'active' }) },
    },
  },
  {
    axis: 'message-roles',
    section: '2.4',
    sentence: 'The role of an assistant message. The specification shows only user.',
    default: 'user-assistant',
    values: { 'user-assistant': {}, 'user-agent': { alter: () => ({ assistantRole: () => 'agent' }) } },
  },
  {
    axis: 'parent',
    section: '2.4',
    sentence: 'The parent of a user message, including the first message of a chat.',
    default: 'previous-answer',
    values: {
      'previous-answer': {},
      'previous-question': { alter: () => ({ parentOfUser: (previous) => previous?.userId ?? null }) },
      'empty-at-first': { alter: () => ({ parentOfUser: (previous) => previous?.assistantId ?? '' }) },
      never: { alter: () => ({ parentOfUser: () => null, parentOfAssistant: () => null }) },
    },
    blocks: { never: withoutParent },
  },
  {
    axis: 'message-fields',
    section: '2.4',
    sentence: 'Which fields a chat and its messages have.',
    default: 'all',
    values: {
      all: {},
      few: {
        alter: () => ({
          chatShown: (chat) => sparse(chat, 'id', 'organizationId', 'status'),
          userMessageShown: (message) => sparse(message, 'id', 'chatId', 'role', 'status', 'text'),
          assistantMessageShown: (message) => sparse(message, 'id', 'chatId', 'role', 'status', 'text'),
        }),
      },
      nulls: {
        alter: () => ({
          chatShown: (chat) => ({ ...chat, name: null, source: null, memberId: null, updatedAt: null }),
          userMessageShown: (message) => ({ ...message, parts: null, charts: null, updatedAt: null }),
          assistantMessageShown: (message) => ({ ...message, charts: null, updatedAt: null }),
          partShown: (part) => ({ ...part, phase: null, content: null, createdAt: null }),
        }),
      },
      more: {
        alter: () => ({
          chatShown: (chat) => ({ ...chat, visibility: 'private', labels: [] }),
          userMessageShown: (message) => ({ ...message, attachments: [], feedback: null }),
          assistantMessageShown: (message) => ({ ...message, usage: { tokens: 12 }, model: 'x-1' }),
          partShown: (part) => ({ ...part, index: 0 }),
          chartShown: (chart) => ({ ...chart, spec: { mark: 'bar' } }),
        }),
      },
    },
    blocks: { few: { ...withoutParent, ...withoutCreation, ...withoutUpdate }, nulls: withoutUpdate },
  },
];
