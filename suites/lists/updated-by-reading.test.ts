import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Models of which each has the `updatedAt` that is made for it; undefined leaves it out. */
const updated =
  (at: (now: number, place: number) => number | string | undefined): NonNullable<TrialOptions['through']> =>
  (behind, clock) =>
  async (request) => {
    const answer = await behind(request);
    if (!request.path.includes('/models') || answer.status !== 200) return answer;
    const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
    const models = data.map((model: object, place: number) => {
      const time = at(clock.now(), place);
      return { ...model, updatedAt: typeof time === 'number' ? new Date(time).toISOString() : time };
    });
    return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: models })) };
  };

const day = 86_400_000;
const seconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const touched = [expect.stringMatching(/^warned: expected updatedAt .*, as nothing but readings came between; got/)];

test.each([
  ['the time of the reading', (now: number) => now, touched],
  ['the time of the reading in whole seconds', (now: number) => seconds(now), touched],
  ['the time of the reading by another clock', (now: number) => now - day, touched],
  ['the minute of the reading', (now: number) => now - (now % 60_000), []],
  ['the time of a job that runs every ten seconds', (now: number) => now - (now % 10_000), []],
  ['the time of a job that runs every five seconds', (now: number) => now - (now % 5000), []],
  ['the time of a job that runs every second', (now: number) => now - (now % 1000) + 123, []],
  ['the time of a job that runs three times a second', (now: number) => now - (now % 333), []],
  ['the time of the reading, for one of them', (now: number, place: number) => (place === 0 ? now : 0), []],
  ['one time for good', () => day, []],
  ['no time', () => undefined, [expect.stringMatching(/^blocked: no record shows an updatedAt/)]],
] as const)('updatedAt of models is %s', async (_what, at, said) => {
  expect(await saidBy('paging.reading-is-no-update/listModels', { through: updated(at) })).toEqual(said);
});
