import { expect, test } from 'vitest';
import { checksOf, runTrial } from './trial.ts';

const choices = {
  'attachable-to-first': '5',
  'count-copies': 'one-later',
  'rate-quota': '20-in-1s',
  'rate-window': 'on-the-clock',
  gateway: 'errors-inside',
  'entry-points': 'two-counting-apart',
};

test.each(['attach-counts-before-validation', 'attach-counts-the-unknown'])(
  "a copy that lags behind this run's own attachments does not hide %s",
  async (fault) => {
    const checks = checksOf('attach.refused-no-effect');
    expect(await runTrial({ seed: 8314, faults: [], choices }, { checks })).toEqual([]);
    const findings = await runTrial({ seed: 8314, faults: [fault], choices }, { checks });
    expect(findings).toContainEqual(expect.objectContaining({ check: 'attach.refused-no-effect', kind: 'failed' }));
  },
);
