import { expect, test } from 'vitest';
import { shortLoad } from './short-load.ts';

/** A load of a few seconds reads few later pages, and its seed says of which lists. */
const seeds = [1, 2, 3] as const;

async function brokenUnderLoad(faults: readonly string[], choices = {}): Promise<readonly string[]> {
  const findings = await Promise.all(seeds.map((seed) => shortLoad({ seed, faults, choices })));
  return findings.flat().map(({ requirement }) => requirement);
}

test.each([{}, { timestamps: 'uneven' }, { gateway: 'hiccups' }, { 'rate-quota': '20-in-1s' }])(
  'short loads accuse a legal deployment of nothing: %j',
  async (choices) => {
    expect(await brokenUnderLoad([], choices)).toEqual([]);
  },
);

test.each([
  ['cursor-is-next-item', 'paging.cursor-is-last-id'],
  // These show only behind the first page, or with a filter.
  ['limit-lost-after-page-one', 'paging.limit'],
  ['filter-ignored', 'models.filter'],
  ['later-models-partial', 'models.success-status'],
  ['column-type-sql', 'models.column-type'],
  ['password-listed', 'sources.no-secret'],
  ['one-id-for-both-messages', 'messages.distinct-ids'],
])('short loads detect %s', async (fault, requirement) => {
  expect(await brokenUnderLoad([fault])).toContain(requirement);
});
