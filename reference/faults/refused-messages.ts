import type { Fault } from '../variation.ts';

/** What becomes of a message that was refused. */
export const refusedMessageFaults: readonly Fault[] = [
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
    idle: { assistant: ['at-once'] },
    alter: () => ({ refusedBecomes: (kind) => (kind === 'malformedBody' ? 'answered-now' : 'nothing') }),
  },
  {
    name: 'denied-message-answered',
    breaks: 'message.refused-no-trace',
    sentence: 'Who may not use the chat is refused, and the message is answered all the same.',
    idle: { assistant: ['at-once'] },
    alter: () => ({ actsThoughRefused: (why, ask) => why.kind === 'denied' && ask.operation === 'sendMessage' }),
  },
];
