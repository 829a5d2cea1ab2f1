import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { Api, as } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { requestOnce } from './pages.ts';
import { givenWalk } from './walk.ts';

const mebibytes = 6;

/** A check on the reference whose pages are large. */
function largePages() {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1 });
  const { target } = reference;
  let sent = 0;
  const deployment: Deployment = async (request) => {
    sent += 1;
    const answer = await reference.deployment(request);
    const large = Buffer.alloc(mebibytes * 1024 * 1024, ' ');
    large.set(answer.body);
    return { ...answer, body: large };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [admin] = target.principals;
  const [organizationId] = admin?.adminOf ?? [];
  if (admin === undefined || organizationId === undefined) throw new Error('the reference has an admin');
  return { api, admin, organizationId, sent: () => sent };
}

test('a walk ends when its pages are large, and its check keeps the last one', async () => {
  const { api, admin, organizationId } = largePages();
  const walk = await givenWalk(api, 'listModels', as(admin), organizationId, { limit: 1 });
  expect([walk.pages.length, walk.complete]).toEqual([6, false]);
  expect(api.exchanges).toHaveLength(1);
});

test('a page is asked for once, whatever the order of its parameters', async () => {
  const { api, admin, organizationId, sent } = largePages();
  const list = { list: 'listModels', admin, organizationId } as const;
  await requestOnce(api, list, { limit: 1, cursor: 'mdl_1' });
  await requestOnce(api, list, { cursor: 'mdl_1', limit: 1 });
  expect(sent()).toBe(1);
});

test('a run keeps few large pages for other checks', async () => {
  const { api, admin, organizationId, sent } = largePages();
  const list = { list: 'listModels', admin, organizationId } as const;
  for (let time = 0; time < 2; time += 1) {
    for (const limit of [1, 2, 3]) await requestOnce(api, list, { limit });
  }
  expect(sent()).toBe(5); // the first one is kept
});
