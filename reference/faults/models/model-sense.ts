import type { Fault } from '../../variation.ts';
import { few, models, thirdPage } from '../shared/records.ts';

const column = { name: 'a', type: 'string', nullable: false } as const;

/** What a careful implementer gets right although no sentence demands it. */
export const modelSenseFaults: readonly Fault[] = [
  {
    name: 'time-column-renamed',
    breaks: 'models.time-column-exists',
    sentence: 'defaultTimeColumn still has the name that the column had before.',
    alter: models(thirdPage, (model) => ({ ...model, defaultTimeColumn: 'a_former_name' })),
  },
  {
    name: 'key-column-renamed',
    breaks: 'models.key-columns-exist',
    sentence: 'A key column still has the name that it had before.',
    alter: models(thirdPage, (model) => ({ ...model, keyColumns: ['a_former_name'] })),
  },
  {
    name: 'example-is-last-sample',
    breaks: 'models.example-is-first-sample',
    sentence: 'example is the last sample.',
    alter: models(few, (model) => ({
      ...model,
      keyColumns: [],
      defaultTimeColumn: null,
      columns: [{ ...column, example: 'z', sampleValues: ['a', 'z'] }],
    })),
  },
  {
    name: 'samples-repeat',
    breaks: 'models.samples-distinct',
    sentence: 'sampleValues are the first rows, whatever is in them.',
    alter: models(few, (model) => ({
      ...model,
      keyColumns: [],
      defaultTimeColumn: null,
      columns: [{ ...column, example: 'a', sampleValues: ['a', 'a', null] }],
    })),
  },
  {
    name: 'model-updated-before-created',
    breaks: 'models.updated-after-created',
    sentence: 'updatedAt is the time of an import, before the model was made.',
    alter: models(thirdPage, (model) => ({ ...model, updatedAt: '2001-01-01T00:00:00.000Z' })),
  },
  {
    name: 'timestamps-without-offset',
    breaks: 'formats.rfc3339',
    sentence: 'Timestamps have no offset, as the database prints them.',
    alter: models(few, (model) => ({ ...model, updatedAt: '2026-01-01T00:00:00' })),
  },
];
