import { must, should } from '../requirement.ts';

/** Sections 3 and 4.6. */
export const deletion = [
  ...must('4.6', 'deleteDataSource', {
    'delete.record': 'Deleting answers 2xx with the record of that data source.',
    'delete.record-types': 'The record in the answer has the documented types.',
    'delete.gone-or-marked': 'A deleted data source is gone from the list or marked there.',
    'delete.others-untouched': 'Deleting one data source leaves the rest of the list as it was.',
  }),
  ...should('4.6', 'deleteDataSource', {
    'delete.models-removed': 'The models over a deleted data source are gone after a while.',
  }),
  ...must('4.6', 'deleteDataSource', {
    'delete.unknown': 'Deleting a data source that does not exist is not answered 2xx.',
  }),
  ...should('4.6', 'deleteDataSource', {
    'delete.unknown-no-5xx': 'Deleting a data source that does not exist is not answered 5xx.',
    'delete.twice-no-5xx': 'Deleting a data source a second time is not answered 5xx.',
  }),
  ...should('4.5', 'listDataSources', {
    'delete.cursor-no-5xx': 'A cursor that is the ID of a deleted data source is not answered 5xx.',
    'delete.cursor-keeps-place': 'A cursor that is the ID of a deleted data source does not start the list over.',
    'delete.cursor-reaches-the-rest':
      'A cursor that is the ID of a deleted data source does not end the list, or skip others, while they follow.',
  }),
  ...must('4.6', 'deleteDataSource', {
    'delete.cleanup-job': [
      'Deleting triggers a cleanup job that removes related entities.',
      'Nothing says when the job ends or which entities are related; what can be seen of it, the models, is delete.models-removed.',
    ],
    'delete.soft': [
      'The record is kept and marked, not erased.',
      'No operation restores or reads a deleted data source, and a deployment may stop listing it.',
    ],
  }),
];
