import type { Fault } from '../../variation.ts';
import { few, models, thirdPage } from '../shared/records.ts';
import { set } from '../shared/values.ts';

const column = { name: 'a', type: 'string', nullable: false } as const;

/** What a careful implementation gets right although the specification does not demand it. */
export const modelSenseFaults: readonly Fault[] = [
  {
    name: 'time-column-renamed',
    breaks: 'models.time-column-exists',
    sentence: 'defaultTimeColumn is the former name of a column.',
    alter: models(thirdPage, set({ defaultTimeColumn: 'a_former_name' })),
  },
  {
    name: 'key-column-renamed',
    breaks: 'models.key-columns-exist',
    sentence: 'keyColumns contains the former name of a column.',
    alter: models(thirdPage, set({ keyColumns: ['a_former_name'] })),
  },
  {
    name: 'example-is-last-sample',
    breaks: 'models.example-is-first-sample',
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
  {
    name: 'samples-repeat',
    breaks: 'models.samples-distinct',
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
  {
    name: 'model-updated-before-created',
    breaks: 'models.updated-after-created',
    sentence: 'updatedAt of one model is the time of an import, before its createdAt.',
    alter: models(thirdPage, set({ updatedAt: '2001-01-01T00:00:00.000Z' })),
  },
  {
    name: 'timestamps-without-offset',
    breaks: 'formats.rfc3339',
    sentence: 'Timestamps have no offset, as the database prints them.',
    alter: models(few, set({ updatedAt: '2026-01-01T00:00:00' })),
  },
];
