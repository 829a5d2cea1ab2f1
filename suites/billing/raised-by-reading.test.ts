import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Raise = (reads: number, seconds: number) => number;

/** Adds something to organizationCount after so many reads and seconds. */
const raised =
  (raise: Raise): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    let reads = 0;
    const startedAt = clock.now();
    return async (request) => {
      await clock.sleep(10);
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/billing-accounts/') || answer.status !== 200)
        return answer;
      reads += 1;
      const { data } = JSON.parse(Buffer.from(answer.body).toString());
      const organizationCount = data.organizationCount + Math.floor(raise(reads, (clock.now() - startedAt) / 1000));
      return { ...answer, body: Buffer.from(JSON.stringify({ data: { ...data, organizationCount } })) };
    };
  };

const reading = /^failed: expected an organizationCount that reading does not change; got/;
const others = /^blocked: organizationCount of .* changes while this run does not change it/;

test.each<[string, Raise, RegExp]>([
  ['rises with every other read', (reads) => reads / 2, reading],
  ['rises with every read', (reads) => reads, reading],
  ['rises all the time', (_reads, seconds) => 20 * seconds, others],
  ['rises now and then', (_reads, seconds) => 3 * seconds, others],
  ['rises and falls', (reads) => reads % 24, others],
])('a count that %s', async (_name, raise, said) => {
  expect(await saidBy('attach.count', { through: raised(raise) })).toEqual([expect.stringMatching(said)]);
});
