import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Other organizations that count besides those of this run: by the number of readings before, the reader and the seconds. */
const besides =
  (more: (turn: number, name: string, seconds: number) => number): NonNullable<TrialOptions['through']> =>
  (behind, clock, { principals }) => {
    let turn = 0;
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/billing-accounts/') || answer.status !== 200)
        return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const reader = principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
      const organizationCount = data.organizationCount + more(turn++, reader?.name ?? '', clock.now() / 1000);
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, organizationCount } })) };
    };
  };

const differs =
  /^failed: expected one organizationCount in several answers at once.*; got \d+ and \d+, in each of 4 looks/;

test.each([
  ['in one of three servers', (turn: number) => (turn % 3 === 0 ? 100 : 101), [expect.stringMatching(differs)]],
  ['for one admin', (_turn: number, name: string) => (name === 'dave' ? 101 : 100), [expect.stringMatching(differs)]],
  ['in each answer', (turn: number) => turn, []],
  [
    'because another client attaches, and one copy lags',
    (turn: number, _name: string, seconds: number) => Math.floor((seconds - (turn % 2) * 9) / 10),
    [],
  ],
  [
    'because another client attaches and detaches in turn, and one copy lags',
    (turn: number, _name: string, seconds: number) => Math.floor((seconds - (turn % 2) * 4) / 9) % 2,
    [],
  ],
  [
    'because a copy was behind for a while',
    (turn: number, _name: string, seconds: number) => (seconds % 1000 < 60 && turn % 2 === 0 ? 0 : 1),
    [],
  ],
] as const)('an account has another count %s', async (_when, more, said) => {
  expect(await saidBy('attach.count/at-last', { through: besides(more) })).toEqual(said);
});
