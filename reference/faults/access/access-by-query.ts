import type { Fault } from '../../variation.ts';

export const accessByQueryFaults: readonly Fault[] = [
  {
    name: 'later-models-for-everybody',
    breaks: 'access.models-404',
    sentence: 'The role is checked for the first page of models: who has a cursor must have been there.',
    alter: () => ({ mayListModels: (isAdmin, request) => isAdmin || request.query.has('cursor') }),
  },
  {
    name: 'filtered-models-for-everybody',
    breaks: 'access.models-404',
    sentence: 'The models of one data source have a query of their own, which forgets the role.',
    alter: () => ({ mayListModels: (isAdmin, request) => isAdmin || request.query.has('databaseConnectionId') }),
  },
  {
    name: 'later-sources-for-everybody',
    breaks: 'access.denied',
    sentence: 'The role is checked for the first page of data sources: who has a cursor must have been there.',
    alter: () => ({ mayListSources: (isAdmin, request) => isAdmin || request.query.has('cursor') }),
  },
];
