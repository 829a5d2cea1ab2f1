import { expect, test } from 'vitest';
import type { Target } from '../core/target.ts';
import { createWorldData } from '../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../reference/data/options.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

const seed = 1;
const afterDeletion = suites.filter(({ id }) => id.endsWith('/listDataSources/after-deletion'));

/** The reference declares its oldest data sources: here the one at a place of the longest list is all that may go. */
function only(placeIn: (length: number) => number): (target: Target) => Target {
  const [longest] = [...createWorldData(seed, defaultDataOptions).organizations.values()].toSorted(
    (one, other) => other.sources.length - one.sources.length,
  );
  const declared = longest?.sources[placeIn(longest.sources.length)]?.id ?? '';
  return (target) => ({
    ...target,
    organizations: target.organizations.map((organization) => ({
      ...organization,
      disposableDataSources: organization.id === longest?.id ? [declared] : [],
    })),
  });
}

const inTheMiddle = ['one in the middle', only((length) => Math.floor(length / 2))] as const;
const beforeTheLast = ['the last but one', only((length) => length - 2)] as const;

test.each([
  [
    ...inTheMiddle,
    ['more-counts-deleted'],
    [
      /a page of 100 .*, with limit=100; got 11$/,
      /hasMore false on the last page; got hasMore true, and the next page is empty$/,
    ],
  ],
  [...inTheMiddle, [], []],
  // A page of two would be right there: only the deleted one's own page is too short.
  [...beforeTheLast, ['deleted-take-places'], [/a page of 1 .*, with limit=1; got 0$/, /hasMore false; got true$/]],
  [...beforeTheLast, [], []],
] as const)('where %s is deleted, the pages around it show it', async (_what, declaring, faults, patterns) => {
  const findings = await runTrial({ seed, faults, choices: {} }, { checks: afterDeletion, part: declaring });
  expect(findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(
    patterns.map((pattern) => expect.stringMatching(pattern)),
  );
});
