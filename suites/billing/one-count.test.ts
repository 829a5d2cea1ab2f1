import { expect, test } from 'vitest';
import { withAccountFields } from '../../testing/answers/with-account-fields.ts';
import { saidBy } from '../../testing/said-by.ts';

type More = (turn: number, reader: string, seconds: number) => number;

/** Other organizations that count besides those of this run. */
const besides = (more: More) =>
  withAccountFields(({ organizationCount }, ...reading) => ({
    organizationCount: organizationCount + more(...reading),
  }));

const differs =
  /^failed: expected one organizationCount in several answers at once.*; got \d+ and \d+, in each of 6 looks/;

test.each([
  ['in one of three servers', (turn: number) => (turn % 3 === 0 ? 100 : 101), [expect.stringMatching(differs)]],
  // Four readings at once, after which it is not sure that each copy answered.
  ['in one of six servers', (turn: number) => (turn % 6 === 4 ? 100 : 101), [expect.stringMatching(differs)]],
  ['for one admin', (_turn: number, name: string) => (name === 'dave' ? 101 : 100), [expect.stringMatching(differs)]],
  ['in each answer', (turn: number) => turn, []],
  [
    'because another client attaches, and one copy lags',
    (turn: number, _name: string, seconds: number) => Math.floor((seconds - (turn % 2) * 9) / 10),
    [],
  ],
  ...[0, 4, 8, 12, 16].map(
    (phase) =>
      [
        `because another client attaches and detaches in turn from second ${phase} on, and one copy lags`,
        (turn: number, _name: string, seconds: number) => Math.floor((seconds + phase - (turn % 2) * 4) / 9) % 2,
        [],
      ] as const,
  ),
  [
    'because a copy was behind for a while',
    (turn: number, _name: string, seconds: number) => (seconds < 60 && turn % 2 === 0 ? 0 : 1),
    [],
  ],
] as const)('an account has another count %s', async (_when, more, said) => {
  expect(await saidBy('attach.count/at-last', { through: besides(more) })).toEqual(said);
});
