import { expect, test } from 'vitest';
import { awcOfSources } from '../../testing/try-awc.ts';

test('the budget of a run of the reference is real time, although the clock of the reference is virtual', async () => {
  const { code, out } = await awcOfSources('run', '--only', 'paging.limit-cap', '--budget', '10m');
  expect(out).toMatch(/^Conformant: /m);
  expect(code).toBe(0);
});
