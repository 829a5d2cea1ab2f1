import { expect, test } from 'vitest';
import { runTrial } from '../../proof/trial.ts';

test.each(['rate-without-retry', 'retry-in-text'])(
  'a limit that is met shows %s, also where the run may not look for a limit',
  async (fault) => {
    const findings = await runTrial(
      { seed: 1, faults: [fault], choices: { 'rate-quota': '20-in-1s' } },
      { part: (target) => ({ ...target, allow: new Set([...target.allow].filter((one) => one !== 'rateLimit')) }) },
    );
    expect(findings.filter(({ kind }) => kind === 'failed').map(({ requirement }) => requirement)).toEqual([
      'rate.body',
    ]);
  },
);
