import { faultsOf } from '../shared/faults-of.ts';

/** Deletions that go wrong for one kind of data source. */
export const unlikeSourceFaults = faultsOf({
  'delete.gone-or-marked': {
    'unsynced-deletion-forgotten': {
      sentence:
        'The deletion of a data source whose first synchronisation has not ended is answered with success but does nothing.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => ({
        deletes: (deleted) => deleted.filter(({ record }) => record['hasCompletedFirstSync'] !== false),
      }),
    },
  },
});
