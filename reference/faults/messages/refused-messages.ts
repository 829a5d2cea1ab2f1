import type { Fault } from '../../variation.ts';

/** How messages are refused that nobody can use, and what becomes of those that were. */
export const refusedMessageFaults: readonly Fault[] = [
  {
    name: 'unpaired-surrogate-500',
    breaks: 'message.malformed',
    sentence: 'An escape that is half a character ends in an exception when the text is stored.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => text.isWellFormed() && rules.charactersAccepted(text, request),
      refusalStatus: (kind, request) =>
        kind === 'invalidMessage' && /^\{"message":"\\ud83d"\}$/.test(request.body)
          ? 500
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'nul-500',
    breaks: 'message.malformed',
    sentence: 'The database does not take NUL, and nobody has looked for it before.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => !text.includes('\0') && rules.charactersAccepted(text, request),
      refusalStatus: (kind, request) =>
        kind === 'invalidMessage' && request.body.includes('\\u0000') ? 500 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'malformed-json-500',
    breaks: 'message.malformed',
    sentence: 'Malformed JSON ends in an exception.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'malformedBody' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'refused-message-answered',
    breaks: 'message.refused-no-trace',
    sentence: 'A message is stored before it is validated, and the assistant answers it.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: () => ({ refusedBecomes: (kind) => (kind === 'invalidMessage' ? 'answered-now' : 'nothing') }),
  },
  {
    name: 'message-stored-before-wait-is-read',
    breaks: 'message.refused-no-trace',
    sentence: 'A message whose wait is refused is stored all the same, without an answer.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: () => ({ refusedBecomes: (kind) => (kind === 'invalidWait' ? 'stored' : 'nothing') }),
  },
  {
    name: 'malformed-body-keeps-lock',
    breaks: 'message.refused-no-trace',
    sentence: 'The lock of a chat is taken before the body is read, and kept for a while where that throws.',
    // An error inside may come in place of what would show it.
    idle: { assistant: ['at-once'], 'json-reading': ['lenient'], gateway: ['errors-inside-on-messages'] },
    alter: () => ({ refusedBecomes: (kind) => (kind === 'malformedBody' ? 'answered-now' : 'nothing') }),
  },
  {
    name: 'denied-message-answered',
    breaks: 'message.refused-no-trace',
    sentence: 'Who may not use the chat is refused, and the message is answered all the same.',
    idle: { assistant: ['at-once'] },
    alter: () => ({
      actsThoughRefused: (why, request) => why.kind === 'denied' && request.operation === 'sendMessage',
    }),
  },
];
