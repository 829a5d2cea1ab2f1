import { must, should } from '../requirement.ts';

/** Sections 2.5 and 4.5. */
export const dataSources = [
  must(
    'sources.types',
    '2.5',
    'listDataSources',
    'The fields of a data source have their documented types where present and not null.',
  ),
  must('sources.date-times', '2.5', 'listDataSources', 'The timestamps of a data source are date-times.'),
  must(
    'sources.no-secret',
    '2.5',
    ['listDataSources', 'deleteDataSource'],
    'No password or other secret is in a data source record.',
  ),
  should(
    'sources.updated-after-created',
    '2.5',
    'listDataSources',
    'updatedAt of a data source is not before createdAt.',
  ),
];
