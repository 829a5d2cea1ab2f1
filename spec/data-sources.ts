import type { Requirement } from './requirement.ts';

/** Sections 2.5 and 4.5. */
export const dataSources = [
  {
    id: 'sources.types',
    section: '2.5',
    level: 'must',
    operations: ['listDataSources'],
    sentence: 'The fields of a data source have their documented types where present and not null.',
  },
  {
    id: 'sources.date-times',
    section: '2.5',
    level: 'must',
    operations: ['listDataSources'],
    sentence: 'The timestamps of a data source are date-times.',
  },
  {
    id: 'sources.no-secret',
    section: '2.5',
    level: 'must',
    operations: ['listDataSources', 'deleteDataSource'],
    sentence: 'No password or other secret is in a data source record.',
  },
  {
    id: 'sources.updated-after-created',
    section: '2.5',
    level: 'should',
    operations: ['listDataSources'],
    sentence: 'updatedAt of a data source is not before createdAt.',
  },
] as const satisfies readonly Requirement[];
