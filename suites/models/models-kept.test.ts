import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Model = { readonly id: string; readonly databaseConnectionId: string };
type Body = { readonly data: readonly Model[] };

/** On each page, one model relates to those of the data sources that may be deleted. It goes with any of them. */
const removing =
  (isRelated: boolean): Through =>
  (behind, _clock, { organizations }) => {
    const disposable = new Set(organizations.flatMap(({ disposableDataSources }) => disposableDataSources));
    const dependent = new Map<string, readonly Model[]>();
    const deleted = new Set<string>();
    const isGone = ({ id }: Model): boolean =>
      dependent.get(id)?.some(({ databaseConnectionId }) => deleted.has(databaseConnectionId)) === true;
    return async (request) => {
      const answer = await behind(request);
      if (request.method === 'DELETE' && answer.status === 200) deleted.add(request.path.split('/').at(-1) ?? '');
      if (!request.path.includes('/models') || answer.status !== 200) return answer;
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      const used = body.data.filter((model) => disposable.has(model.databaseConnectionId));
      const other = body.data.find((model) => !disposable.has(model.databaseConnectionId));
      if (deleted.size === 0 && other !== undefined && !dependent.has(other.id)) dependent.set(other.id, used);
      const data = body.data
        .filter((model) => !isGone(model))
        .map((model) => {
          const targets = isRelated ? (dependent.get(model.id) ?? []) : [];
          return { ...model, relationships: targets.map(({ id }) => ({ targetModelId: id })) };
        });
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  };

test.each([
  [
    'that has no relationship to what is deleted',
    false,
    [/^blocked: items were lost since the deletion, and none with another deletion/],
  ],
  ['that has a relationship to what is deleted', true, []],
] as const)('a deletion removes a model of another data source %s', async (_what, isRelated, said) => {
  const through = removing(isRelated);
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
