import type { Requirement } from './requirement.ts';

/** Sections 3 and 4.6. */
export const deletion = [
  {
    id: 'delete.record',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'Deleting answers 2xx with the record of that data source.',
  },
  {
    id: 'delete.record-types',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'The record in the answer has the documented types.',
  },
  {
    id: 'delete.gone-or-marked',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'A deleted data source is gone from the list or marked there.',
  },
  {
    id: 'delete.others-untouched',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'Deleting one data source leaves the rest of the list as it was.',
  },
  {
    id: 'delete.models-removed',
    section: '4.6',
    level: 'should',
    operations: ['deleteDataSource'],
    sentence: 'The models over a deleted data source are gone after a while.',
  },
  {
    id: 'delete.unknown',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'Deleting a data source that does not exist is not answered 2xx.',
  },
  {
    id: 'delete.unknown-no-5xx',
    section: '4.6',
    level: 'should',
    operations: ['deleteDataSource'],
    sentence: 'Deleting a data source that does not exist is not answered 5xx.',
  },
  {
    id: 'delete.twice-no-5xx',
    section: '4.6',
    level: 'should',
    operations: ['deleteDataSource'],
    sentence: 'Deleting a data source a second time is not answered 5xx.',
  },
  {
    id: 'delete.cursor-no-5xx',
    section: '4.5',
    level: 'should',
    operations: ['listDataSources'],
    sentence: 'The ID of a data source that was deleted, as cursor, is not answered 5xx.',
  },
  {
    id: 'delete.cleanup-job',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'Deleting triggers a cleanup job that removes related entities.',
    unobservable:
      'Nothing says when the job ends or which entities are related; what can be seen of it, the models, is delete.models-removed.',
  },
  {
    id: 'delete.soft',
    section: '4.6',
    level: 'must',
    operations: ['deleteDataSource'],
    sentence: 'The record is kept and marked, not erased.',
    unobservable: 'No operation restores or reads a deleted data source, and a deployment may stop listing it.',
  },
] as const satisfies readonly Requirement[];
