import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Model = { readonly id: string; readonly databaseConnectionId: string };
type Body = { readonly data: readonly Model[] };

/**
 * On each page, one model relates to those of the data sources that may be deleted, and another one to that. Both go with any of those.
 * The relationships of so many of the two are shown.
 */
const removing =
  (shown: number): Through =>
  (behind, _clock, { organizations }) => {
    const disposable = new Set(organizations.flatMap(({ disposableDataSources }) => disposableDataSources));
    const dependent = new Map<string, readonly Model[]>();
    const followers = new Map<string, Model>();
    const deleted = new Set<string>();
    const isGone = ({ id }: Model): boolean => {
      const followed = followers.get(id);
      const isDependent = dependent.get(id)?.some(({ databaseConnectionId }) => deleted.has(databaseConnectionId));
      return isDependent === true || (followed !== undefined && isGone(followed));
    };
    return async (request) => {
      const answer = await behind(request);
      if (request.method === 'DELETE' && answer.status === 200) deleted.add(request.path.split('/').at(-1) ?? '');
      if (!request.path.includes('/models') || answer.status !== 200) return answer;
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const used = body.data.filter((model) => disposable.has(model.databaseConnectionId));
      const [first, second] = body.data.filter((model) => !disposable.has(model.databaseConnectionId));
      if (deleted.size === 0 && first !== undefined && second !== undefined && !dependent.has(first.id)) {
        dependent.set(first.id, used);
        followers.set(second.id, first);
      }
      const data = body.data
        .filter((model) => !isGone(model))
        .map((model) => {
          const followed = followers.get(model.id);
          const targets = [
            ...(shown > 0 ? (dependent.get(model.id) ?? []) : []),
            ...(shown > 1 && followed !== undefined ? [followed] : []),
          ];
          return { ...model, relationships: targets.map(({ id }) => ({ targetModelId: id })) };
        });
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  };

const unexplained = /^failed: expected the models of other data sources in \w+ unchanged/;

test.each([
  ['that have no relationship to what is deleted', 0, [unexplained]],
  ['of which one has no relationship to what is deleted', 1, [unexplained]],
  ['that have a relationship to what is deleted, one of them over the other', 2, []],
] as const)('a deletion removes models of another data source %s', async (_what, shown, said) => {
  const through = removing(shown);
  expect(await saidBy('delete.others-untouched/models', { through })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

test('models of a data source that something else deleted before are removed by its own cleanup job', async () => {
  const said = await saidBy('delete.others-untouched/models', {
    faults: ['denied-deletion-of-members-happens'],
    after: ['access.denied-no-effect/deleteDataSource'],
  });
  expect(said).toEqual([]);
});
