import type { JsonObject } from '../../http/json.ts';
import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { onRepetitions } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, withoutParents } from '../shared/idle.ts';

/** Repeated requests have that status. */
function answeredWith(status: number): Fault['alter'] {
  return onRepetitions((isRepetition, rules) => ({
    messageAnswerStatus: (finished, request) =>
      isRepetition(request) ? status : rules.messageAnswerStatus(finished, request),
  }));
}

/** Repeated requests show other fields in the user message. */
function showing(fields: (exchange: Exchange, request: Request, rules: Rules) => JsonObject): Fault['alter'] {
  return onRepetitions((isRepetition, rules) => ({
    userMessageShown: (message, request, exchange) =>
      isRepetition(request) ? { ...message, ...fields(exchange, request, rules) } : message,
  }));
}

/** How a request is answered whose key was found. */
export const repetitionFaults = faultsOf({
  'idempotency.after': {
    'repetition-created': {
      sentence: 'A repeated request is answered 201.',
      idle: firstAnswerRepeated,
      alter: answeredWith(201),
    },
    'key-header-by-case': {
      sentence: 'The header of the key is not found if its name is in capitals.',
      alter: (rules) => ({
        received: ({ headers, ...request }) => ({
          ...request,
          headers: request.headerNames === 'capitals' ? { ...headers, [rules.keyHeader()]: '' } : headers,
        }),
      }),
    },
    'repetition-accepted': {
      sentence: 'A repeated request is answered 202, even if its response is finished.',
      idle: firstAnswerRepeated,
      alter: answeredWith(202),
    },
  },
  'idempotency.later': {
    'repetition-cut-short': {
      sentence: 'The store of keys keeps only 255 characters of a text, and a repeated request returns only those.',
      idle: { 'message-fields': ['few'], ...firstAnswerRepeated },
      alter: showing(({ text }) => ({ text: text.slice(0, 255) })),
    },
    'repetition-without-text': {
      sentence: 'The record of a repeated request is loaded without its text, which is null.',
      idle: { 'message-fields': ['few'], ...firstAnswerRepeated },
      alter: showing(() => ({ text: null })),
    },
    'repetition-created-now': {
      sentence: 'A repeated request returns the original IDs, but createdAt is the current time.',
      idle: { 'message-fields': ['few'], ...firstAnswerRepeated },
      alter: showing((_exchange, { at }, rules) => ({ createdAt: rules.timestamp(at) })),
    },
    'chat-created-now': {
      sentence: 'createdAt of a chat has the time of the answer as its default.',
      idle: firstAnswerRepeated,
      alter: (rules) => ({ chatShown: (chat, { at }) => ({ ...chat, createdAt: rules.timestamp(at) }) }),
    },
    'parts-created-now': {
      sentence: 'createdAt of the parts of a message is the time of the answer.',
      idle: { 'message-fields': ['few'], ...firstAnswerRepeated },
      alter: (rules) => ({ partShown: (part, { at }) => ({ ...part, createdAt: rules.timestamp(at) }) }),
    },
    'repetition-follows-itself': {
      sentence: 'A repeated request returns the latest answer of its chat as the parent of the message.',
      idle: { ...withoutParents, ...firstAnswerRepeated },
      alter: (rules) => {
        const latest = new Map<string, string>();
        const parent = showing(({ chatId, parentId }) => ({ parentId: latest.get(chatId) ?? parentId }));
        return { onAccepted: ({ chatId, assistantId }) => void latest.set(chatId, assistantId), ...parent(rules) };
      },
    },
  },
});
