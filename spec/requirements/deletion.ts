import { must, should } from '../requirement.ts';

/** Sections 3 and 4.6. */
export const deletion = [
  must('delete.record', '4.6', 'deleteDataSource', 'Deleting answers 2xx with the record of that data source.'),
  must('delete.record-types', '4.6', 'deleteDataSource', 'The record in the answer has the documented types.'),
  must(
    'delete.gone-or-marked',
    '4.6',
    'deleteDataSource',
    'A deleted data source is gone from the list or marked there.',
  ),
  must(
    'delete.others-untouched',
    '4.6',
    'deleteDataSource',
    'Deleting one data source leaves the rest of the list as it was.',
  ),
  should(
    'delete.models-removed',
    '4.6',
    'deleteDataSource',
    'The models over a deleted data source are gone after a while.',
  ),
  must('delete.unknown', '4.6', 'deleteDataSource', 'Deleting a data source that does not exist is not answered 2xx.'),
  should(
    'delete.unknown-no-5xx',
    '4.6',
    'deleteDataSource',
    'Deleting a data source that does not exist is not answered 5xx.',
  ),
  should('delete.twice-no-5xx', '4.6', 'deleteDataSource', 'Deleting a data source a second time is not answered 5xx.'),
  should(
    'delete.cursor-no-5xx',
    '4.5',
    'listDataSources',
    'A cursor that is the ID of a deleted data source is not answered 5xx.',
  ),
  should(
    'delete.cursor-keeps-place',
    '4.5',
    'listDataSources',
    'A cursor that is the ID of a deleted data source does not start the list over.',
  ),
  should(
    'delete.cursor-reaches-the-rest',
    '4.5',
    'listDataSources',
    'A cursor that is the ID of a deleted data source does not end the list while others follow.',
  ),
  must(
    'delete.cleanup-job',
    '4.6',
    'deleteDataSource',
    'Deleting triggers a cleanup job that removes related entities.',
    'Nothing says when the job ends or which entities are related; what can be seen of it, the models, is delete.models-removed.',
  ),
  must(
    'delete.soft',
    '4.6',
    'deleteDataSource',
    'The record is kept and marked, not erased.',
    'No operation restores or reads a deleted data source, and a deployment may stop listing it.',
  ),
];
