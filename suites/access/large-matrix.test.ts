import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { runTrial } from '../../proof/trial.ts';
import { accessByQuery } from './access-by-query.ts';

/** Far more pairs of principal and organization than the access matrix requests. */
function withManyOrganizations(target: Target): Target {
  const [first] = target.organizations;
  const others = Array.from({ length: 60 }, (_, index) => ({
    ...first,
    id: `org_${index}`,
    chats: [],
    disposableDataSources: [],
  }));
  return { ...target, organizations: [...target.organizations, ...others] };
}

test.each([1, 2, 3, 4, 5, 6])('later pages are denied also where the matrix is thinned out, seed %i', async (seed) => {
  const findings = await runTrial(
    { seed, faults: [], choices: {} },
    { checks: accessByQuery, part: withManyOrganizations },
  );
  expect(findings).toEqual([]);
});
