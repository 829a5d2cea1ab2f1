import { must } from '../requirement.ts';

export const service = [
  must(
    'service.chats-hidden',
    '1',
    [],
    "Chats created through the API do not appear in the service's web app.",
    'The web app is not part of the API.',
  ),
  must(
    'service.poll-or-stream',
    '1',
    'sendMessage',
    'After 202 the assistant message can be polled or its events streamed.',
    'The method and path of polling and streaming are not shown.',
  ),
];
