import { expect, test } from 'vitest';
import type { Target } from '../harness/target.ts';
import { createWorldData } from '../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../reference/data/options.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

const seed = 1;
const afterDeletion = suites.filter(({ id }) => id === 'paging.has-more/listDataSources/after-deletion');

/** The reference declares its oldest data sources: here the one in the middle of the longest list is all that may go. */
function oneInTheMiddle(target: Target): Target {
  const [longest] = [...createWorldData(seed, defaultDataOptions).organizations.values()].toSorted(
    (one, other) => other.sources.length - one.sources.length,
  );
  const middle = longest?.sources[Math.floor(longest.sources.length / 2)]?.id ?? '';
  const organizations = target.organizations.map((organization) => ({
    ...organization,
    disposableDataSources: organization.id === longest?.id ? [middle] : [],
  }));
  return { ...target, organizations };
}

test.each([
  [
    ['more-counts-deleted'],
    ['failed: expected hasMore false on the last page; got true, and nothing on the page behind it'],
  ],
  [[], []],
])('where one in the middle is deleted, with %j, the end of the list tells: %j', async (faults, told) => {
  const findings = await runTrial({ seed, faults, choices: {} }, () => true, afterDeletion, oneInTheMiddle);
  expect(findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(told);
});
