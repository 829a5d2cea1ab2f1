import { faultsOf } from '../shared/faults-of.ts';
import { few, models, thirdPage } from '../shared/records.ts';
import { set } from '../shared/values.ts';

const column = { name: 'a', type: 'string', nullable: false } as const;

/** What a careful implementation gets right although the specification does not demand it. */
export const modelSenseFaults = faultsOf({
  'models.time-column-exists': {
    'time-column-renamed': {
      sentence: 'defaultTimeColumn is the former name of a column.',
      alter: models(thirdPage, set({ defaultTimeColumn: 'a_former_name' })),
    },
  },
  'models.key-columns-exist': {
    'key-column-renamed': {
      sentence: 'keyColumns contains the former name of a column.',
      alter: models(thirdPage, set({ keyColumns: ['a_former_name'] })),
    },
  },
  'models.example-is-first-sample': {
    'example-is-last-sample': {
      sentence: 'example is the last sample.',
      alter: models(
        few,
        set({
          keyColumns: [],
          defaultTimeColumn: null,
          columns: [{ ...column, example: 'z', sampleValues: ['a', 'z'] }],
        }),
      ),
    },
  },
  'models.samples-distinct': {
    'samples-repeat': {
      sentence: 'sampleValues contains the values of the first rows, with duplicates and null.',
      alter: models(
        few,
        set({
          keyColumns: [],
          defaultTimeColumn: null,
          columns: [{ ...column, example: 'a', sampleValues: ['a', 'a', null] }],
        }),
      ),
    },
  },
  'models.updated-after-created': {
    'model-updated-before-created': {
      sentence: 'updatedAt of one model is the time of an import, before its createdAt.',
      alter: models(thirdPage, set({ updatedAt: '2001-01-01T00:00:00.000Z' })),
    },
  },
  'models.verified-after-created': {
    'verified-in-year-one': {
      sentence: 'verifiedAt of a model that was never verified is the zero value of its type, in the year 1.',
      alter: models(thirdPage, set({ verifiedAt: '0001-01-01T00:00:00Z', verifiedByMemberId: null })),
    },
  },
  'models.verified-by': {
    'verified-by-zero': {
      sentence: 'verifiedByMemberId of a model that was never verified is 0, written as a text.',
      alter: models(thirdPage, set({ verifiedAt: null, verifiedByMemberId: '0' })),
    },
  },
  'formats.rfc3339': {
    'timestamps-without-offset': {
      sentence: 'Timestamps have no offset, as the database prints them.',
      alter: models(few, set({ updatedAt: '2026-01-01T00:00:00' })),
    },
  },
});
