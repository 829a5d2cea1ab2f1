import { must, should } from '../requirement.ts';

/** Sections 2.5 and 4.5. */
export const dataSources = [
  ...must('2.5', 'listDataSources', {
    'sources.types': 'The fields of a data source have their documented types where present and not null.',
    'sources.date-times': 'The timestamps of a data source are date-times.',
  }),
  ...must('2.5', ['listDataSources', 'deleteDataSource'], {
    'sources.no-secret': 'No password or other secret is in a data source record.',
  }),
  ...should('2.5', 'listDataSources', {
    'sources.updated-after-created': 'updatedAt of a data source is not before createdAt.',
  }),
];
