import { must } from '../requirement.ts';

export const service = [
  ...must('1', [], {
    'service.chats-hidden': [
      "Chats created through the API do not appear in the service's web app.",
      'The web app is not part of the API.',
    ],
  }),
  ...must('1', 'sendMessage', {
    'service.poll-or-stream': [
      'After 202 the assistant message can be polled or its events streamed.',
      'The method and path of polling and streaming are not shown.',
    ],
  }),
];
