import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { at } from '../../core/json.ts';
import type { Organization, Target } from '../../core/target.ts';
import { Api, as } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { readLists } from '../lists/snapshot.ts';
import {
  givenDisposable,
  givenNoOthersDelete,
  isTaken,
  leaveOutGone,
  secondDisposable,
  takeDisposable,
  takeListedDisposable,
  takeSpareDisposables,
  takeUndeleted,
} from './disposables.ts';

type Through = (deployment: Deployment) => Deployment;

/** A run in which so many data sources of two organizations may be deleted. */
function openRun(
  main: number,
  other: number,
  through: Through = (deployment) => deployment,
  declare: (target: Target) => Target = (target) => target,
): Api {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const most = new Map([
    ['org_main', main],
    ['org_other', other],
  ]);
  const cut = ({ disposableDataSources, ...one }: Organization): Organization => ({
    ...one,
    disposableDataSources: disposableDataSources.slice(0, most.get(one.id) ?? 0),
  });
  const declared = declare({ ...target, organizations: target.organizations.map(cut) });
  const session = createSession({ deployment: through(deployment), target: declared, clock, seed: 1, invariants: [] });
  return new Api(session, 'test');
}

/** In lists of models, the models of the data source seem to be of another one; in those of data sources, it is not listed. */
function hiddenIn(list: 'models' | 'data-sources', sourceId: string): Through {
  return (deployment) => async (request) => {
    const answer = await deployment(request);
    if (!request.path.includes(`/${list}`)) return answer;
    const text = new TextDecoder().decode(answer.body).replaceAll(JSON.stringify(sourceId), '"another"');
    return { ...answer, body: new TextEncoder().encode(text) };
  };
}

function disposablesOf({ session }: Api): readonly string[] {
  return session.target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources);
}

/** Those that two or more of the list follow. */
function insideOf(api: Api): readonly string[] {
  return disposablesOf(api).slice(2);
}

/** Only those may be deleted. */
const inside = ({ organizations, ...target }: Target): Target => ({
  ...target,
  organizations: organizations.map((one) => ({ ...one, disposableDataSources: one.disposableDataSources.slice(2) })),
});

type Wanted = Parameters<typeof takeSpareDisposables>[2];
const ofOther: Wanted = ({ organizationId }) => organizationId === 'org_other';

test('spares one with a twin that no run deletes first, and then one with a delicate ID', async () => {
  const api = openRun(8, 1);
  const [twin, delicate] = await takeSpareDisposables(api, 2);
  const { items } = (await readLists(api, 'listDataSources')).get('org_main') ?? { items: [] };
  const createdAt = items.find(({ id }) => id === twin.id)?.createdAt;
  expect(items.filter((item) => item.createdAt === createdAt)).toHaveLength(2);
  expect(delicate?.id).toMatch(/[.~]/);
});

test.each([
  ['in upper case', (id: string) => id.toUpperCase()],
  ['with something behind it', (id: string) => `${id}0`],
  ['without its end', (id: string) => id.slice(0, -1)],
])('spares one early if another one that stays has its ID %s', async (_what, other) => {
  const chosen = disposablesOf(openRun(8, 0))[6] ?? '';
  const api = openRun(8, 0, (behind) => async (request) => {
    const answer = await behind(request);
    if (!/\/org_main\/data-sources\?/.test(request.path) || answer.status !== 200) return answer;
    const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
    const place = data.findIndex((one: { readonly id: string }) => one.id === chosen);
    if (place > 0) data.splice(place, 0, { ...data[place], id: other(chosen), createdAt: data[place - 1].createdAt });
    return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data })) };
  });
  const idsOf = async (run: Api) => (await takeSpareDisposables(run, 2)).map(({ id }) => id);
  expect(await idsOf(api)).toContain(chosen);
  expect(await idsOf(openRun(8, 0))).not.toContain(chosen);
});

test.each<[string, number, number, number, Wanted, readonly string[]]>([
  ['two of three', 3, 0, 2, undefined, ['org_main', 'org_main']],
  ['one of two, as one is left over', 2, 0, 2, undefined, ['org_main']],
  ['two of the organization that has two', 1, 3, 2, undefined, ['org_other', 'org_other']],
  ['what is wanted', 3, 2, 1, ofOther, ['org_other']],
])('spares %s', async (_what, main, other, most, wanted, organizations) => {
  const api = openRun(main, other);
  const taken = await takeSpareDisposables(api, most, wanted);
  expect(taken.map(({ organizationId }) => organizationId)).toEqual(organizations);
  expect(taken.every(({ organizationId, id }) => isTaken(api, organizationId, id))).toBe(true);
});

test.each<[string, number, number, Wanted]>([
  ['one', 1, 0, undefined],
  ['none', 0, 0, undefined],
  ['none that is wanted', 3, 0, ofOther],
])('spares nothing where there is %s', async (_what, main, other, wanted) => {
  await expect(takeSpareDisposables(openRun(main, other), 1, wanted)).rejects.toThrow('can be spared');
});

/** Another client deletes data sources of an organization. */
async function deleteElsewhere({ session }: Api, organizationId: string, ids: readonly string[]): Promise<void> {
  const other = new Api(session, 'others');
  const [alice] = session.target.principals;
  if (alice === undefined) throw new Error('the reference declares no principal');
  for (const id of ids) await other.deleteDataSource(as(alice), organizationId, id);
}

test('of the data sources to watch, one that others deleted gives way to the next', async () => {
  const api = openRun(4, 0);
  const [, second] = [await givenDisposable(api), await secondDisposable(api)];
  await deleteElsewhere(api, 'org_main', [(await givenDisposable(api)).id]);
  expect((await givenDisposable(api)).id).toBe(second?.id);
  expect((await secondDisposable(api))?.id).not.toBe(second?.id);
});

test('what is gone from a list is given to no check, and the reason says why', async () => {
  const api = openRun(2, 0);
  const ids = disposablesOf(api);
  expect((await givenDisposable(api)).id).toBe(ids[0]);
  await deleteElsewhere(api, 'org_main', ids);
  await expect(givenDisposable(api)).rejects.toThrow(/disappeared during the run, and no other one is left/);
  const [list] = [...(await readLists(api, 'listDataSources'))];
  if (list !== undefined) await leaveOutGone(api, ...list);
  await expect(takeDisposable(api)).rejects.toThrow(/disappeared during the run/);
});

test('what is gone during the run shows that others delete, and what an earlier run deleted does not', async () => {
  const [{ disposableDataSources: [first = ''] } = { disposableDataSources: [] }] = openRun(3, 0).session.target
    .organizations;
  const hidden = hiddenIn('data-sources', first);
  let isGone = false;
  const later: Through = (deployment) => (request) => (isGone ? hidden(deployment) : deployment)(request);
  const leaveOut = async (api: Api): Promise<void> => {
    for (const [id, walk] of await readLists(api, 'listDataSources')) await leaveOutGone(api, id, walk);
    givenNoOthersDelete(api);
  };
  await leaveOut(openRun(3, 0, hidden));
  const api = openRun(3, 0, later);
  await leaveOut(api);
  isGone = true;
  await expect(leaveOut(api)).rejects.toThrow('other traffic deletes');
});

test('what is gone before it is taken was not taken by this run, and shows that others delete', async () => {
  const [first = '', second] = insideOf(openRun(5, 0));
  const hidden = hiddenIn('data-sources', first);
  let isGone = false;
  const through: Through = (deployment) => (request) => (isGone ? hidden(deployment) : deployment)(request);
  const api = openRun(5, 0, through, inside);
  await givenDisposable(api);
  isGone = true;
  expect((await takeListedDisposable(api)).id).toBe(second);
  expect(isTaken(api, 'org_main', first)).toBe(false);
  expect(() => givenNoOthersDelete(api)).toThrow('other traffic deletes');
});

test('gives each data source once, one that fits a wish first', async () => {
  const api = openRun(2, 1);
  const first = await takeDisposable(
    api,
    () => false,
    ({ organizationId }) => organizationId === 'org_other',
  );
  expect(first.organizationId).toBe('org_other');
  const others = [await takeDisposable(api), await takeDisposable(api)];
  expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
  await expect(takeDisposable(api)).rejects.toThrow();
});

test('takes data sources of the front, the end and the middle of a list, and of other kinds', async () => {
  const all = openRun(0, 0);
  const { items } = (await readLists(all, 'listDataSources')).get('org_main') ?? { items: [] };
  const places = [3, 10, 17, 24, 31, 60, 67, 89, 97];
  const ids = places.map((place) => items[place]?.id ?? '');
  const api = openRun(0, 0, undefined, ({ organizations: [main, ...others], ...target }) => ({
    ...target,
    organizations: main === undefined ? others : [{ ...main, disposableDataSources: ids }, ...others],
  }));
  const taken = [await takeDisposable(api), await takeDisposable(api), await takeDisposable(api)];
  const parts = taken.map(({ id }) => Math.floor((3 * items.findIndex((item) => item.id === id)) / items.length));
  expect(new Set(parts).size).toBe(3);
  const dialects = taken.map(({ record }) => at(record, 'dialect'));
  expect(new Set(dialects).size).toBeGreaterThan(1);
  expect(new Set(taken.map(({ record }) => at(record, 'hasCompletedFirstSync'))).size).toBe(2);
});

test('spares two that are near each other, for a race', async () => {
  const api = openRun(6, 0);
  const { items } = (await readLists(api, 'listDataSources')).get('org_main') ?? { items: [] };
  const places = (await takeSpareDisposables(api, 2, () => true, 'nearby')).map(({ id: taken }) =>
    items.findIndex(({ id }) => id === taken),
  );
  expect(Math.max(...places) - Math.min(...places)).toBe(1);
});

test('watches the last one that has models', async () => {
  const [, second = '', third = ''] = insideOf(openRun(5, 0));
  expect((await givenDisposable(openRun(5, 0, undefined, inside))).id).toBe(third);
  expect((await givenDisposable(openRun(5, 0, hiddenIn('models', third), inside))).id).toBe(second);
});

test('watches two that have models if two others have some, too', async () => {
  const ids = insideOf(openRun(7, 0));
  const watched = async (count: number): Promise<readonly (string | undefined)[]> => {
    const api = openRun(count + 2, 0, hiddenIn('models', ids[count - 1] ?? ''), inside);
    return [(await givenDisposable(api)).id, (await secondDisposable(api))?.id];
  };
  expect(await watched(5)).toEqual([ids[3], ids[2]]);
  expect(await watched(4)).toEqual([ids[2], ids[3]]);
});

test('leaves the one that others follow to delete, and watches it where others were taken', async () => {
  const [oldest, next, third, fourth] = disposablesOf(openRun(4, 0));
  const api = openRun(3, 0);
  expect([(await givenDisposable(api)).id, (await secondDisposable(api))?.id]).toEqual([next, oldest]);
  expect((await takeDisposable(api)).id).toBe(third);
  const later = openRun(4, 0);
  await takeDisposable(later, ({ id }) => id === next);
  await takeDisposable(later, ({ id }) => id === oldest);
  expect([(await givenDisposable(later)).id, (await secondDisposable(later))?.id]).toEqual([fourth, third]);
});

test('leaves the oldest of a list to delete if others can be watched', async () => {
  const api = openRun(6, 0);
  const watched = [(await givenDisposable(api)).id, (await secondDisposable(api))?.id];
  expect(watched).not.toContain(disposablesOf(api)[0]);
  const taken = await takeSpareDisposables(api, 3);
  expect(taken.map(({ id }) => id)).toContain(disposablesOf(api)[0]);
});

test('what was taken and not deleted is taken again first, and what is watched or deleted is not', async () => {
  const api = openRun(5, 0);
  const watched = await givenDisposable(api);
  const [deleted, refused] = [await takeDisposable(api), await takeDisposable(api)];
  await api.deleteDataSource(as(deleted.admin), 'org_main', deleted.id);
  const any = () => true;
  expect((await takeUndeleted(api, 'org_main', any))?.id).toBe(refused.id);
  const last = await takeUndeleted(api, 'org_main', ({ id }) => id !== refused.id);
  expect([watched.id, deleted.id, refused.id]).not.toContain(last?.id);
  expect(isTaken(api, 'org_main', last?.id ?? '')).toBe(true);
  const left = await takeUndeleted(api, 'org_main', ({ id }) => id !== refused.id && id !== last?.id);
  expect(left).toBeUndefined();
  expect(await takeUndeleted(api, 'org_other', any)).toBeUndefined();
});
