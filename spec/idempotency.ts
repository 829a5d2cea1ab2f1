import type { Operation, Requirement } from './requirement.ts';

const send = ['sendMessage'] as const satisfies readonly Operation[];

/** Section 4.2: the idempotency key. */
export const idempotency = [
  {
    id: 'idempotency.while-generating',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'Repeating a request with its key while the assistant responds returns the original messages.',
  },
  {
    id: 'idempotency.after',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'Repeating a request with its key after the assistant finished returns the original messages.',
  },
  {
    id: 'idempotency.later',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'A key keeps its result when other messages came after it.',
  },
  {
    id: 'idempotency.no-duplicate',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'A repeated request creates nothing: the chat is as busy or idle as before it.',
  },
  {
    id: 'idempotency.parallel',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'Parallel requests with one key make one message.',
  },
  {
    id: 'idempotency.key-maximum',
    section: '8',
    level: 'must',
    operations: send,
    sentence: 'A key of 255 characters is accepted.',
  },
  {
    id: 'idempotency.key-too-long',
    section: '8',
    level: 'must',
    operations: send,
    sentence: 'A key of 256 characters is refused.',
  },
  {
    id: 'idempotency.opaque',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: 'Keys are compared whole: case, prefix and suffix distinguish them.',
  },
  {
    id: 'idempotency.other-chat',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: "The same key in another chat never yields this chat's messages.",
  },
  {
    id: 'idempotency.other-caller',
    section: '4.2',
    level: 'must',
    operations: send,
    sentence: "Another caller's same key never yields this caller's messages from a chat which that caller cannot use.",
  },
] as const satisfies readonly Requirement[];
