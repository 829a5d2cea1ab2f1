import { expect, test } from 'vitest';
import { runTrial, type TrialOptions } from '../../proof/trial.ts';
import { suites } from '../index.ts';

const checks = suites.filter(({ id }) => id === 'idempotency.after/falsy-key');
const header = 'idempotency-key';

/** That key counts as none. */
const withoutKey =
  (key: string): NonNullable<TrialOptions['through']> =>
  (behind) =>
  ({ headers: { [header]: given, ...headers }, ...request }) =>
    behind({ ...request, headers: given === undefined || given === key ? headers : { ...headers, [header]: given } });

/** What the check says in runs with the first four seeds. */
async function saidWhere(key: string): Promise<readonly string[]> {
  const all = [];
  for (const seed of [0, 1, 2, 3]) {
    const trial = { seed, faults: [], choices: {} };
    all.push(...(await runTrial(trial, { checks, through: withoutKey(key) })));
  }
  return all.map(({ kind, text }) => `${kind}: ${/if it is (\w+)/.exec(text)?.[1] ?? text}`);
}

test.each([
  ['0', 2],
  ['null', 1],
  ['undefined', 1],
])('of four runs, the key %s is found to count as none in %i', async (key, times) => {
  expect(await saidWhere(key)).toEqual(Array.from({ length: times }, () => `failed: ${key}`));
});

test('no key is accused that is one', async () => {
  expect(await saidWhere('another')).toEqual([]);
});
