import type { Operation, Requirement } from './requirement.ts';

const send = ['sendMessage'] as const satisfies readonly Operation[];

/** Sections 3, 4.2 and 8: one response at a time in each chat. */
export const conflict = [
  {
    id: 'conflict.refused',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'A message to a chat whose response is still generating is answered 409.',
  },
  {
    id: 'conflict.body',
    section: '7',
    level: 'must',
    operations: send,
    sentence: 'The 409 answer carries the error body without retryAfterMs.',
  },
  {
    id: 'conflict.race',
    section: '8',
    level: 'must',
    operations: send,
    sentence: 'Of several messages sent at once to one chat, one is accepted.',
  },
  {
    id: 'conflict.no-trace',
    section: '3',
    level: 'must',
    operations: send,
    sentence: 'A message refused with 409 leaves no trace: it is not stored and no response to it starts later.',
  },
  {
    id: 'conflict.other-chat',
    section: '8',
    level: 'must',
    operations: send,
    sentence: 'While one chat is generating, another chat accepts messages.',
  },
  {
    id: 'conflict.ends',
    section: '3',
    level: 'must',
    operations: send,
    sentence: 'Once the response is finished the chat accepts the next message.',
  },
] as const satisfies readonly Requirement[];
