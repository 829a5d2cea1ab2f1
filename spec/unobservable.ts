import type { Requirement } from './requirement.ts';

/** What sections 1, 2 and 5 say of the service that none of the six operations shows. */
export const unobservable = [
  {
    id: 'service.chats-hidden',
    section: '1',
    level: 'must',
    operations: [],
    sentence: "Chats created through the API do not appear in the service's web app.",
    unobservable: 'The web app is not part of the API.',
  },
  {
    id: 'service.poll-or-stream',
    section: '1',
    level: 'must',
    operations: ['sendMessage'],
    sentence: 'After 202 the assistant message can be polled or its events streamed.',
    unobservable: 'The method and path of polling and streaming are not shown.',
  },
  {
    id: 'models.latest-version',
    section: '2.1',
    level: 'must',
    operations: ['listModels'],
    sentence: "sqlQuery is the SQL of the model's latest version, and verification speaks of that SQL.",
    unobservable: 'No operation with a known path changes a model or shows its versions.',
  },
  {
    id: 'models.inferred',
    section: '2.1',
    level: 'must',
    operations: ['listModels'],
    sentence: 'Column type, nullable, example and samples come from sampled result values.',
    unobservable: 'A caller cannot see the rows that were sampled; what must agree among the fields is checked apart.',
  },
  {
    id: 'auth.key-life',
    section: '5',
    level: 'must',
    operations: [],
    sentence: 'Keys are issued, scoped and revoked.',
    unobservable: 'How is not shown.',
  },
] as const satisfies readonly Requirement[];
