import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { saidBy } from '../../testing/said-by.ts';
import { paging } from './paging.ts';
import { walking } from './walking.ts';

/** What the violations of a requirement compare, where lists have a fault. */
async function comparedBy(fault: string, requirement: string): Promise<readonly unknown[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 5, faults: [fault] });
  const session = createSession({ deployment, target, clock, seed: 5, invariants: [] });
  const checks = [...paging, ...walking].filter(({ id }) => id === `${requirement}/listModels`);
  const judged = await runChecks(checks, session);
  return judged.flatMap(({ verdict }) =>
    verdict.kind === 'violated' ? [{ expected: verdict.expected, actual: verdict.actual }] : [],
  );
}

test('a page that is too short differs in the number of its items, not in one of them', async () => {
  expect(await comparedBy('later-pages-short', 'paging.any-id-is-cursor')).toEqual([
    { expected: expect.stringMatching(/, limit=2: 2 items$/), actual: '1 item' },
  ]);
});

test('a page with another item names both items and their number', async () => {
  const [compared] = await comparedBy('single-items-in-batches-of-50', 'paging.walk');
  expect(compared).toEqual({
    expected: expect.stringMatching(/, limit=1: 1 item, number 1 "mdl/),
    actual: expect.stringMatching(/^1 item, number 1 "mdl/),
  });
});

type Listed = { readonly data: readonly { readonly id: string; readonly createdAt: string }[] };

/** The longest list. Small first pages begin with one more item, which no walk shows; the newest item is gone if others delete. */
const passing =
  (createdAt: string, doOthersDelete: boolean): NonNullable<TrialOptions['through']> =>
  (behind) => {
    let walks = 0;
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/org_main/models?limit=') || answer.status !== 200) return answer;
      const limit = Number(/limit=(\d+)$/.exec(request.path)?.[1] ?? 0);
      if (limit < 2) return answer;
      const body: Listed = JSON.parse(Buffer.from(answer.body).toString());
      if (limit === 100) walks += 1;
      const gone = limit === 100 && walks > 1 && doOthersDelete ? 1 : 0;
      const [newest] = body.data;
      const more = limit < 100 && newest !== undefined ? [{ ...newest, id: 'passing', createdAt }] : [];
      const data = [...more, ...body.data.slice(gone)].slice(0, limit);
      const pagination = { hasMore: true, nextCursor: data.at(-1)?.id };
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data, pagination })) };
    };
  };

const beyond = expect.stringMatching(/only items that the walk with limit=100 shows; got "passing"/);

test.each([
  ['a new item passes through', 'a list that others change', '2999-01-01T00:00:00Z', true, []],
  ['a new item passes through', 'a list that stays the same', '2999-01-01T00:00:00Z', false, [beyond]],
  ['an old item passes through', 'a list that others change', '2001-01-01T00:00:00Z', true, [beyond]],
])('%s %s', async (_what, _where, createdAt, doOthersDelete, said) => {
  expect(await saidBy('paging.walk/listModels', { through: passing(createdAt, doOthersDelete) })).toEqual(said);
});
