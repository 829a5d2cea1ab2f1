import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { takeSnapshot } from '../lists/snapshot.ts';
import type { Walk } from '../lists/walk.ts';
import { takeDisposable } from './disposables.ts';
import { pagesAround } from './pages-around.ts';

test.each([
  ['one', 1, [1, 1, 2]],
  ['two', 2, [1, 1, 1, 2]],
])('pages are asked for within the limits of the list, where the deletion leaves %s', async (_what, left, limits) => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const asked: number[] = [];
  const session = createSession({
    deployment: (request) => {
      asked.push(Number(new URL(request.path, 'http://x.invalid').searchParams.get('limit')));
      return deployment(request);
    },
    target,
    clock,
    seed: 1,
    invariants: [],
  });
  const api = new Api(session, 'test');
  const disposable = await takeDisposable(api);
  const before = await takeSnapshot(api);
  const { items }: Pick<Walk, 'items'> = before.sources.get(disposable.organizationId) ?? { items: [] };
  const walk = { items: items.slice(0, left), pages: [], complete: true };
  asked.length = 0;
  await pagesAround(api, disposable, before, { ...before, sources: new Map([[disposable.organizationId, walk]]) });
  expect(asked.toSorted((one, other) => one - other)).toEqual(limits);
});
