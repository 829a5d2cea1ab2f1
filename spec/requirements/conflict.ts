import { must } from '../requirement.ts';

/** Sections 3, 4.2 and 8: one response at a time in each chat. */
export const conflict = [
  must(
    'conflict.refused',
    '4.2',
    'sendMessage',
    'A message to a chat whose response is still generating is answered 409.',
  ),
  must('conflict.body', '7', 'sendMessage', 'The 409 answer carries the error body without retryAfterMs.'),
  must('conflict.race', '8', 'sendMessage', 'Of several messages sent at once to one chat, one is accepted.'),
  must(
    'conflict.no-trace',
    '3',
    'sendMessage',
    'A message refused with 409 leaves no trace: it is not stored and no response to it starts later.',
  ),
  must('conflict.other-chat', '8', 'sendMessage', 'While one chat is generating, another chat accepts messages.'),
  must('conflict.ends', '3', 'sendMessage', 'Once the response is finished the chat accepts the next message.'),
];
