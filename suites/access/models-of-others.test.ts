import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Lists of models that another client deleted, before a data source was first to be deleted or after that. */
const shown =
  (isKept: (place: number, isAfter: boolean, isFiltered: boolean) => boolean) =>
  (behind: Deployment): Deployment => {
    let isAfter = false;
    return async (request) => {
      if (request.method === 'DELETE') isAfter = true;
      const answer = await behind(request);
      if (!/\/models(\?|$)/.test(request.path) || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const isFiltered = request.path.includes('databaseConnectionId=');
      const kept = data.filter((_model: unknown, place: number) => isKept(place, isAfter, isFiltered));
      return { ...answer, body: Buffer.from(JSON.stringify({ data: kept, pagination })) };
    };
  };

const before = shown((_place, _isAfter, isFiltered) => !isFiltered);
const alone = shown((_place, isAfter, isFiltered) => !isAfter || !isFiltered);
const afterwards = shown(() => true);
const some = shown((place, isAfter, isFiltered) => !isAfter || (!isFiltered && place % 2 === 0));

const ids = ['auth.no-effect/deleteDataSource', 'access.denied-no-effect/deleteDataSource'].flatMap((id) => [
  id,
  `${id}/at-last`,
]);

test.each(ids)(
  '%s accuses only a refused deletion after which the models of its data source alone are gone',
  async (id) => {
    const said = (through: typeof before) => saidBy(id, { through });
    expect(await said(afterwards)).toEqual([]);
    expect(await said(before)).toEqual([]);
    expect(await said(some)).toEqual([
      expect.stringMatching(/^blocked: the list of \S+ changes while this run does not/),
    ]);
    expect(await said(alone)).toEqual([
      expect.stringMatching(/^failed: expected the models of .* still listed; got no models/),
    ]);
  },
);
