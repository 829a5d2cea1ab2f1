import { must } from '../requirement.ts';

/** Section 4.2: the idempotency key. */
export const idempotency = [
  ...must('4.2', 'sendMessage', {
    'idempotency.while-generating':
      'Repeating a request with its key while the assistant responds returns the original messages.',
    'idempotency.after': 'Repeating a request with its key after the assistant finished returns the original messages.',
    'idempotency.later': 'A key keeps its result when other messages came after it.',
    'idempotency.no-duplicate': 'A repeated request creates nothing: the chat is as busy or idle as before it.',
    'idempotency.parallel': 'Parallel requests with one key make one message.',
  }),
  ...must('8', 'sendMessage', {
    'idempotency.key-maximum': 'A key of 255 characters is accepted.',
    'idempotency.key-too-long': 'A key of 256 characters is refused.',
  }),
  ...must('4.2', 'sendMessage', {
    'idempotency.opaque': 'Keys are compared whole: case, prefix and suffix distinguish them.',
    'idempotency.other-chat': "The same key in another chat never yields this chat's messages.",
    'idempotency.other-caller':
      "Another caller's same key never yields this caller's messages from a chat which that caller cannot use.",
  }),
];
