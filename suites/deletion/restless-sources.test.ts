import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Another client edits every data source all the time. The records show no updatedAt, which is optional. */
const edited: Through = (behind) => {
  let edits = 0;
  return async (request) => {
    const answer = await behind(request);
    if (request.method !== 'GET' || !request.path.includes('/data-sources') || answer.status !== 200) return answer;
    edits += 1;
    const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
    const records = data.map((record: object) => ({ ...record, host: `host-${edits}`, updatedAt: null }));
    return { ...answer, body: Buffer.from(JSON.stringify({ data: records, pagination })) };
  };
};

test.each(['delete.others-untouched', 'auth.no-effect/deleteDataSource', 'access.denied-no-effect/deleteDataSource'])(
  '%s accuses no deployment whose data sources others edit',
  async (id) => {
    expect(await saidBy(id, { through: edited })).toEqual([
      expect.stringMatching(/^blocked: the list of \S+ changes while this run does not change it/),
    ]);
  },
);

/** Data sources are listed once, and then refused for longer than a run waits. */
const limited: Through = (behind) => {
  const listed = new Set<string>();
  return async (request) => {
    if (request.method !== 'GET' || !request.path.includes('/data-sources')) return behind(request);
    if (listed.has(request.path)) return errorAnswer(429, { 'retry-after': '400' });
    listed.add(request.path);
    return behind(request);
  };
};

test('a deletion that cannot be prepared is blocked for the reason of that', async () => {
  expect(await saidBy('delete.record', { through: limited })).toEqual([
    expect.stringMatching(/^blocked: rate limited/),
  ]);
});
