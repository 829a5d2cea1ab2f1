import type { Operation, Requirement } from './requirement.ts';

const listModels = ['listModels'] as const satisfies readonly Operation[];

/** Section 2.1: what the fields of a model have to do with each other. */
export const modelSense = [
  {
    id: 'models.time-column-exists',
    section: '2.1',
    level: 'should',
    operations: listModels,
    sentence: 'defaultTimeColumn names one of the columns.',
  },
  {
    id: 'models.key-columns-exist',
    section: '2.1',
    level: 'should',
    operations: listModels,
    sentence: 'keyColumns name columns.',
  },
  {
    id: 'models.example-is-first-sample',
    section: '2.1',
    level: 'should',
    operations: listModels,
    sentence: 'example is the first of sampleValues.',
  },
  {
    id: 'models.samples-distinct',
    section: '2.1',
    level: 'should',
    operations: listModels,
    sentence: 'sampleValues are distinct and not null.',
  },
  {
    id: 'models.updated-after-created',
    section: '2.1',
    level: 'should',
    operations: listModels,
    sentence: 'updatedAt is not before createdAt.',
  },
] as const satisfies readonly Requirement[];
