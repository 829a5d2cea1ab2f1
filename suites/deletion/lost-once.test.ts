import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** The first model of each list is lost with the first deletion. Another one was lost at the second look before that, if another client removes some. */
const losing =
  (removesBefore: boolean): Through =>
  (behind) => {
    const looks = new Map<string, number>();
    let deletions = 0;
    return async (request) => {
      const answer = await behind(request);
      if (request.method === 'DELETE' && answer.status < 300) deletions += 1;
      if (!request.path.endsWith('/models?limit=100') || answer.status !== 200) return answer;
      const look = 1 + (looks.get(request.path) ?? 0);
      looks.set(request.path, look);
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const kept = removesBefore && look > 1 ? data.slice(0, -1) : data;
      const body = JSON.stringify({ data: deletions > 0 ? kept.slice(1) : kept, pagination });
      return { ...answer, body: Buffer.from(body) };
    };
  };

test.each([
  [false, 'failed: expected the models of other data sources in \\w+ unchanged'],
  [true, 'blocked: the list of \\w+ changes while this run does not change it'],
])('models that one deletion of several takes along, where others are lost before: %j', async (removesBefore, said) => {
  const found = await saidBy('delete.others-untouched/models', { through: losing(removesBefore) });
  expect(found).toEqual([expect.stringMatching(said)]);
});
