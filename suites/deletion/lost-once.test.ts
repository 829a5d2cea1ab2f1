import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** The first model of each list is lost with the first deletion. If another client adds one, it is there from the second look on. */
const losing =
  (addsBefore: boolean): Through =>
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
      const [first, ...rest] = data;
      const added = addsBefore && look > 1 ? [{ ...first, id: 'added', relationships: [] }] : [];
      const body = JSON.stringify({ data: [...added, ...(deletions > 0 ? rest : data)], pagination });
      return { ...answer, body: Buffer.from(body) };
    };
  };

test.each([
  [false, 'failed: expected the models of other data sources in \\w+ unchanged'],
  [true, 'blocked: items were lost since the deletion, and none with other deletions'],
])(
  'models that one deletion of several takes along, where another one is added before: %j',
  async (addsBefore, said) => {
    const found = await saidBy('delete.others-untouched/models', { through: losing(addsBefore) });
    expect(found).toEqual([expect.stringMatching(said)]);
  },
);
