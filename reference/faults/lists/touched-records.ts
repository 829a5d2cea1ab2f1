import { faultsOf } from '../shared/faults-of.ts';
import { secondOf } from '../shared/values.ts';

/** Records that change because they are read. */
export const touchedRecordFaults = faultsOf({
  'paging.reading-is-no-update': {
    'model-touched-when-read': {
      sentence: 'Reading a model writes it back, which sets its updatedAt.',
      idle: { models: ['0'] },
      alter: (rules) => ({ modelShown: (model, { at }) => ({ ...model, updatedAt: rules.timestamp(at) }) }),
    },
    'source-updated-now': {
      sentence: 'updatedAt of every data source is the time of the answer, in whole seconds.',
      idle: { sources: ['0'], optional: ['absent'] },
      alter: () => ({ sourceShown: (source, { at }) => ({ ...source, updatedAt: secondOf(at) }) }),
    },
  },
});
