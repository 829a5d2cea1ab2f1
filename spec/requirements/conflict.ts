import { must } from '../requirement.ts';

/** Sections 3, 4.2 and 8: one response at a time in each chat. */
export const conflict = [
  ...must('4.2', 'sendMessage', {
    'conflict.refused': 'A message to a chat whose response is still generating is answered 409.',
  }),
  ...must('7', 'sendMessage', {
    'conflict.body': 'The 409 answer carries the error body without retryAfterMs.',
  }),
  ...must('8', 'sendMessage', {
    'conflict.race': 'Of several messages sent at once to one chat, one is accepted.',
  }),
  ...must('3', 'sendMessage', {
    'conflict.no-trace':
      'A message refused with 409 leaves no trace: it is not stored and no response to it starts later.',
  }),
  ...must('8', 'sendMessage', {
    'conflict.other-chat': 'While one chat is generating, another chat accepts messages.',
  }),
  ...must('3', 'sendMessage', {
    'conflict.ends': 'Once the response is finished the chat accepts the next message.',
  }),
];
