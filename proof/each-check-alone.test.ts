import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

// `awc run --only` runs a check without those that run before it in a whole run.
test.each([{}, { 'deleted-sources': 'deleted-at', assistant: 'always-300-ms' }])(
  'no check accuses a correct deployment that it judges alone: %j',
  async (choices) => {
    const accused = [];
    for (const check of suites) {
      for (const { kind, text } of await runTrial({ seed: 1, faults: [], choices }, { checks: [check] }))
        if (kind !== 'blocked') accused.push(`${check.id} ${kind}: ${text}`);
    }
    expect(accused).toEqual([]);
  },
);
