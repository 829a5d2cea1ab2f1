import { expect, test } from 'vitest';
import { runTrial } from '../../proof/trial.ts';
import { suites } from '../index.ts';

const checks = suites.filter(({ id }) => id === 'idempotency.after/falsy-key');

/** What the check says in runs with the first three seeds. */
async function saidOf(faults: readonly string[]): Promise<readonly string[]> {
  const all = [];
  for (const seed of [0, 1, 2]) all.push(...(await runTrial({ seed, faults, choices: {} }, { checks })));
  return all.map(({ kind, text }) => `${kind}: ${/if it is (\w+)/.exec(text)?.[1] ?? text}`);
}

test.each([
  ['key-of-no-value-is-none', ['failed: 0', 'failed: null', 'failed: undefined']],
  ['key-null-is-none', ['failed: null']],
] as const)('one of three keys is tried: %s', async (fault, said) => {
  expect(await saidOf([fault])).toEqual(said);
});

test('none of them is accused where it is a key', async () => {
  expect(await saidOf([])).toEqual([]);
});
