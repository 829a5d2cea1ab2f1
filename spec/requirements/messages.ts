import { must, should } from '../requirement.ts';

/** Sections 2.3, 2.4, 4.2 and 8: the answer, waiting, and what is accepted. */
export const messages = [
  ...must('4.2', 'sendMessage', {
    'messages.success-status': 'An accepted message is answered 200 or 202.',
    'messages.envelope': 'The data of the answer holds chat, userMessage and assistantMessage, each with its id.',
  }),
  ...must('2.3', 'sendMessage', {
    'messages.chat-types': 'The fields of the chat have their documented types.',
  }),
  ...must('2.4', 'sendMessage', {
    'messages.message-types': 'The fields of both messages, their parts and charts have their documented types.',
  }),
  ...must('4.2', 'sendMessage', {
    'messages.chat-is-the-path':
      "The chat is the path's: its id, its organizationId, and the chatId of both messages agree.",
  }),
  ...should('2.3', 'sendMessage', {
    'messages.chat-updated-after-created':
      'updatedAt of a chat is not before its createdAt, but for a few seconds between clocks.',
    'messages.chat-created-once': 'createdAt of a chat is the same in each answer.',
  }),
  ...should('2.4', 'sendMessage', {
    'messages.roles-differ': 'The role of a user message is not that of an assistant message.',
    'messages.updated-after-created': 'updatedAt of a message is not before its createdAt.',
    'messages.created-now':
      'createdAt of a new message is the time when it was sent, not that of another time zone or calendar.',
    'messages.created-in-order':
      'createdAt of a chat, of the user message and of its assistant message follow each other, but for a few seconds between clocks.',
  }),
  ...must('2.4', 'sendMessage', {
    'messages.distinct-ids':
      'Every accepted message has IDs of its own, the user message and the assistant message too.',
    'messages.parent-is-another': 'The parent of a message is not the message itself.',
  }),
  ...should('2.4', 'sendMessage', {
    'messages.parent-in-chat': 'If a message names its parent, the parent is another message of the same chat.',
  }),
  ...must('4.2', 'sendMessage', {
    'messages.text': 'userMessage.text is the text that was sent, in any script, spaces and line breaks kept.',
    'messages.accepted-is-generating': '202 means that the assistant message is still in progress.',
    'messages.ok-is-finished': '200 means that the assistant message is complete.',
    'messages.immediate': 'Without wait the answer comes at once, however long the assistant takes.',
    'wait.holds': 'With wait the request is held until the assistant finishes or the seconds are over, not shorter.',
    'wait.ends': 'When the seconds of wait are over the answer is 202 with the message in progress, not later.',
    'wait.finishes':
      'When the assistant finishes within wait, the answer is 200 and comes then, not when the seconds are over.',
  }),
  ...must('8', 'sendMessage', {
    'wait.minimum': 'wait=1 is accepted.',
    'wait.maximum': 'wait=300 is accepted.',
  }),
  ...should('8', 'sendMessage', {
    'wait.refused': 'A wait that is no integer from 1 to 300 is refused.',
  }),
  ...must('8', 'sendMessage', {
    'message.minimum': 'A message of one character is accepted.',
    'message.maximum': 'A message of 10000 characters is accepted.',
    'message.empty': 'An empty message is refused.',
    'message.too-long': 'A message of 10001 characters is refused.',
  }),
  ...must('4.2', 'sendMessage', {
    'message.missing': 'A body without message is refused.',
    'message.not-a-string': 'A message that is null, a number, an array or an object is refused.',
  }),
  ...should('4.2', 'sendMessage', {
    'message.malformed': 'Malformed JSON and a wrong content type are not answered 5xx.',
  }),
  ...must('4.2', 'sendMessage', {
    'message.refused-no-trace':
      'A refused message leaves no trace: the chat stays idle, and the next message does not follow it.',
  }),
  ...should('1', 'sendMessage', {
    'message.content-type':
      'A message is accepted if its content type, application/json, names a charset or is written in capitals.',
  }),
  ...must('4.2', 'sendMessage', {
    'messages.unknown-chat': 'A message to a chat that does not exist is not accepted.',
  }),
];
