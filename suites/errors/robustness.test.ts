import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError, type TransportFailure } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { saidBy } from '../../testing/said-by.ts';
import { inOtherCase } from '../../stage/lists/unknown-id.ts';
import { robustness } from './robustness.ts';

/** The verdict about odd IDs of organizations where the first `times` requests with each of them fail like this. */
async function verdictWhere(failure: TransportFailure, times: number): Promise<string | undefined> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const failed = new Map<string, number>();
  const failing: Deployment = async (request) => {
    const count = failed.get(request.path) ?? 0;
    failed.set(request.path, count + 1);
    if (/organizations\/[^/]*awc/.test(request.path) && count < times) throw new TransportError(failure, 'it failed');
    return deployment(request);
  };
  const session = createSession({ deployment: failing, target, clock, seed: 1, invariants: [] });
  const checks = robustness.filter(
    ({ id, operation }) => id.startsWith('robustness.odd-ids') && operation === 'listModels',
  );
  const [judged] = await runChecks(checks, session);
  return judged?.verdict.kind;
}

test('an odd ID that twice gets no answer breaks the promise, a lost answer or a missing connection does not', async () => {
  expect(await verdictWhere('timeout', 1)).toBe('passed');
  expect(await verdictWhere('timeout', Infinity)).toBe('violated');
  expect(await verdictWhere('refused', Infinity)).not.toBe('violated');
});

test('a filter by the ID of a data source is no odd one where the ID of another differs in case only', async () => {
  const twins = new Map<string, string>();
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const [path, asked = ''] = request.path.split('databaseConnectionId=');
      const twin = twins.get(decodeURIComponent(asked));
      const answer = await behind(
        twin === undefined ? request : { ...request, path: `${path}databaseConnectionId=${twin}` },
      );
      if (!request.path.includes('/data-sources') || answer.status !== 200) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const all = data.flatMap((one: { readonly id: string }) => {
        const id = inOtherCase(one.id) ?? `${one.id}-2`;
        twins.set(id, encodeURIComponent(one.id));
        return [one, { ...one, id }];
      });
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: all })) };
    };
  expect(await saidBy('robustness.odd-ids/listModels/filtered', { through })).toEqual([]);
});
