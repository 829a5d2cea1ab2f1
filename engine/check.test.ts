import { expect, test } from 'vitest';
import { check } from './check.ts';

const nothing = () => Promise.resolve();

test.each([
  [{}, { phase: 'together', uses: [], mayUse: [], tries: 1, extended: false, isImmune: false }],
  [{ uses: ['deletions'] }, { phase: 'together' }],
  [{ uses: ['deletions', 'messages'] }, { phase: 'messages' }],
  [{ uses: ['messages'], phase: 'last' }, { phase: 'last' }],
  [
    { tries: 3, extended: true, isImmune: true, mayUse: ['messages'] },
    { tries: 3, extended: true, isImmune: true, mayUse: ['messages'], phase: 'together' },
  ],
] as const)('a check with %j runs as it says', (options, expected) => {
  expect(check('wait.holds', options, nothing)).toMatchObject(expected);
});

test.each([
  [{}, 'errors.body'],
  [{ on: 'listModels' }, 'errors.body/listModels'],
  [{ variant: 'late' }, 'errors.body/late'],
  [{ on: 'listModels', variant: 'late' }, 'errors.body/listModels/late'],
] as const)('a check with %j is called %s', (options, id) => {
  expect(check('errors.body', options, nothing).id).toBe(id);
});
