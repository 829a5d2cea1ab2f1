import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** The first and every third page of data sources that is read after a deletion is one from before it, for so many milliseconds. */
const olderNowAndThen =
  (forMs: number): Through =>
  (behind, clock) => {
    const before = new Map<string, Awaited<ReturnType<typeof behind>>>();
    const reads = new Map<string, number>();
    let deletedAt = Number.POSITIVE_INFINITY;
    return async (request) => {
      if (request.method === 'DELETE') deletedAt = Math.min(deletedAt, clock.now());
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/data-sources') || answer.status !== 200) return answer;
      const sinceMs = clock.now() - deletedAt;
      if (sinceMs < 0) before.set(request.path, answer);
      if (!(sinceMs >= 0 && sinceMs < forMs)) return answer;
      const count = reads.get(request.path) ?? 0;
      reads.set(request.path, count + 1);
      return count % 3 === 0 ? (before.get(request.path) ?? answer) : answer;
    };
  };

const id = 'delete.gone-or-marked/at-last';

test('a copy of the list that keeps deleted data sources is found although others answer between its answers', async () => {
  const said = await saidBy(id, { through: olderNowAndThen(Number.POSITIVE_INFINITY) });
  expect(said).toEqual([expect.stringMatching(/^failed: .*; got still listed as before$/)]);
});

test('a copy that is late shows the deletion in the end', async () => {
  expect(await saidBy(id, { through: olderNowAndThen(40_000) })).toEqual([]);
});
