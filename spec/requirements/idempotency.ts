import { must } from '../requirement.ts';

/** Section 4.2: the idempotency key. */
export const idempotency = [
  must(
    'idempotency.while-generating',
    '4.2',
    'sendMessage',
    'Repeating a request with its key while the assistant responds returns the original messages.',
  ),
  must(
    'idempotency.after',
    '4.2',
    'sendMessage',
    'Repeating a request with its key after the assistant finished returns the original messages.',
  ),
  must('idempotency.later', '4.2', 'sendMessage', 'A key keeps its result when other messages came after it.'),
  must(
    'idempotency.no-duplicate',
    '4.2',
    'sendMessage',
    'A repeated request creates nothing: the chat is as busy or idle as before it.',
  ),
  must('idempotency.parallel', '4.2', 'sendMessage', 'Parallel requests with one key make one message.'),
  must('idempotency.key-maximum', '8', 'sendMessage', 'A key of 255 characters is accepted.'),
  must('idempotency.key-too-long', '8', 'sendMessage', 'A key of 256 characters is refused.'),
  must(
    'idempotency.opaque',
    '4.2',
    'sendMessage',
    'Keys are compared whole: case, prefix and suffix distinguish them.',
  ),
  must(
    'idempotency.other-chat',
    '4.2',
    'sendMessage',
    "The same key in another chat never yields this chat's messages.",
  ),
  must(
    'idempotency.other-caller',
    '4.2',
    'sendMessage',
    "Another caller's same key never yields this caller's messages from a chat which that caller cannot use.",
  ),
];
