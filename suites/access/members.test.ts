import { expect, test } from 'vitest';
import { saidBy } from '../../testing/said-by.ts';

test.each([1, 2, 3])('a principal without roles asks for the longest list of models, seed %i', async (seed) => {
  expect(await saidBy('access.models-404', { seed, faults: ['largest-list-for-members'] })).toEqual([
    expect.stringMatching(/^failed: expected 404 .*; got 200/),
  ]);
});

test.each([1, 2, 3])('a principal without roles asks for it with a filter, seed %i', async (seed) => {
  expect(await saidBy('access.models-404/by-query', { seed, faults: ['largest-list-filtered-for-members'] })).toEqual([
    expect.stringMatching(/^failed: expected 404 .*bob.* with databaseConnectionId/),
  ]);
});
