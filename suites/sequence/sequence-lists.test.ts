import { expect, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import { at } from '../../core/json.ts';
import { Blocked } from '../../engine/verdict.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { type Altered, inTurn, openWorld, unaltered, withBody, withRecords } from '../../testing/sequence-world.ts';
import type { Command } from './sequence-commands.ts';
import { filterInSequence, listInSequence } from './sequence-lists.ts';
import type { Shown } from './sequence-promises.ts';
import { changeInSequence } from './sequence-writes.ts';
import type { World } from './sequence-world.ts';

const refused: Altered = async () => errorAnswer(400);
const noPage: Altered = withBody(() => ({ data: [] }));
const without = (id: string | undefined): Altered =>
  withRecords((records) => records.filter((one) => one['id'] !== id));
const withFirst = (id: string | undefined): Altered => withRecords((records) => [{ id }, ...records]);
const swapped: Altered = withRecords(([one, other, ...rest]) => [other, one, ...rest]);

/** A page as the command asks for it, and no walk of a whole list. */
const isSmall = ({ path }: HttpRequest): boolean => /limit=(4|99)(&|$)/.test(path);
const always = (altered: Altered): Altered => inTurn(isSmall, [], altered);
const once = (altered: Altered): Altered => inTurn(isSmall, [altered]);

/** What is broken, in short, or what is kept. */
function inShort({ kept, broken }: Shown): string | readonly string[] {
  return broken === undefined ? kept : `${broken.promise}: ${broken.actual}`;
}

/** The fourth data source is the cursor. */
const behindFourth: Command & { do: 'list' } = { do: 'list', list: 'listDataSources', behind: 3, limit: 4, by: 0 };
const idAt = ({ lists }: World, place: number): string | undefined => lists.listDataSources.items[place]?.id;

const cursorKept = ['paging.any-id-is-cursor/listDataSources'];

test.each([
  ['is as before', () => unaltered, cursorKept],
  ['is refused once', () => once(refused), []],
  ['is refused', () => always(refused), expect.stringMatching(/^paging.any-id-is-cursor\/listDataSources: 400/)],
  ['is no page once', () => once(noPage), []],
  ['is no page, with 200', () => always(noPage), []],
  [
    'is refused, because its cursor is gone',
    (world: World): Altered =>
      (request, behind) =>
        (isSmall(request) ? refused : without(idAt(world, 3)))(request, behind),
    [],
  ],
  ['lacks an item once', (world: World) => once(without(idAt(world, 5))), []],
  [
    'lacks an item',
    (world: World) => always(without(idAt(world, 5))),
    expect.stringMatching(/^paging.any-id.*: it is left out$/),
  ],
  ['lacks an item that is gone', (world: World) => without(idAt(world, 5)), []],
  ['shows an earlier item once', (world: World) => once(withFirst(idAt(world, 0))), []],
  [
    'shows an earlier item',
    (world: World) => always(withFirst(idAt(world, 0))),
    expect.stringMatching(/^paging.any-id/),
  ],
  ['shows a new item', () => always(withFirst('new')), cursorKept],
  ['shows two items in another order', () => always(swapped), expect.stringMatching(/ at another place$/)],
  [
    'shows an earlier item, and then lacks one',
    (world: World) => inTurn(isSmall, [withFirst(idAt(world, 0))], without(idAt(world, 5))),
    [],
  ],
] as const)('a page behind an item %s', async (_what, alteredIn, said) => {
  const { world, alter } = await openWorld();
  alter(alteredIn(world));
  expect(inShort(await listInSequence(world, behindFourth))).toEqual(said);
});

test('a page behind an item of the second page, in a list that refuses every cursor', async () => {
  const { world, alter } = await openWorld();
  const behind = world.lists.listModels.items.findIndex(({ mayLack }, place) => place >= 100 && !mayLack);
  alter((request, send) => (request.path.includes('cursor=') ? refused(request, send) : send(request)));
  const command: Command & { do: 'list' } = { do: 'list', list: 'listModels', behind, limit: 4, by: 0 };
  expect(inShort(await listInSequence(world, command))).toMatch(/^paging.any-id-is-cursor\/listModels: 400/);
});

test('each admin of the organization reads pages, by turns', async () => {
  const { world, alter } = await openWorld();
  const readers: (string | undefined)[] = [];
  alter((request, behind) => {
    readers.push(request.headers['authorization']);
    return behind(request);
  });
  const { admins } = world.lists.listDataSources;
  expect(admins.length).toBeGreaterThan(1);
  for (const by of admins.keys()) await listInSequence(world, { ...behindFourth, by });
  await listInSequence(world, { ...behindFourth, by: admins.length });
  expect(readers).toEqual([...admins, admins[0]].map((one) => `Bearer ${one?.key}`));
});

test('without a change, the beginning of a list shows nothing', async () => {
  const { world } = await openWorld();
  expect(inShort(await listInSequence(world, { ...behindFourth, behind: null }))).toEqual([]);
});

test.each([
  ['what stays is one', 'listModels', 0, 0],
  ['what stays is one, counted on', 'listModels', 1, 1],
  ['an even number is the item before what was deleted', 'listDataSources', 2, 'before'],
  ['an odd number is what stays', 'listDataSources', 1, 1],
] as const)('of the cursors after a deletion, %s', async (_what, list, behind, place) => {
  const { world, alter } = await openWorld();
  await changeInSequence(world, { do: 'delete' });
  const { items } = world.lists[list];
  const deletedAt = items.findIndex(({ id }) => id === world.deleted[0]?.disposable.id);
  const staying = items.filter(({ mayLack }) => !mayLack);
  const expected = place === 'before' ? items.slice(0, deletedAt).findLast(({ mayLack }) => !mayLack) : staying[place];
  const cursors: (string | null)[] = [];
  alter((request, answering) => {
    cursors.push(new URL(request.path, 'http://x.invalid').searchParams.get('cursor'));
    return answering(request);
  });
  const shown = await listInSequence(world, { do: 'list', list, behind, limit: 4, by: 0 });
  expect(shown.kept).toContain(`paging.any-id-is-cursor/${list}`);
  expect(cursors).toEqual([expected?.id]);
});

/** The page from the beginning after a deletion, with all of the list. */
const whole: Command & { do: 'list' } = { do: 'list', list: 'listDataSources', behind: null, limit: 100, by: 0 };
const isPage = ({ path }: HttpRequest): boolean => path.endsWith('data-sources?limit=100');

test.each([
  ['shows what was deleted gone', () => unaltered, ['delete.others-untouched']],
  [
    'shows what was deleted, once',
    (world: World) => inTurn(isPage, [withRecords((records) => [world.deletable[0]?.record, ...records])]),
    ['delete.gone-or-marked'],
  ],
  [
    'shows what was deleted, and is refused then',
    (world: World) => inTurn(isPage, [withRecords((records) => [world.deletable[0]?.record, ...records])], refused),
    [],
  ],
  ['lacks an item that is gone, which another client may have deleted', (world: World) => without(idAt(world, 5)), []],
  ['lacks another item once', (world: World) => inTurn(isPage, [without(idAt(world, 5))]), []],
] as const)('after a deletion, a page %s', async (_what, alteredIn, said) => {
  const { world, alter } = await openWorld(undefined, undefined, { cleanup: 'never' });
  await changeInSequence(world, { do: 'delete' });
  alter(alteredIn(world));
  const shown = inShort(await listInSequence(world, whole));
  expect(shown).toEqual(said);
});

test.each([
  ['nothing more is lost', [], ['delete.others-untouched']],
  ['another item is lost', [6], 'delete.others-untouched: it is left out'],
] as const)('after an item was lost and another deletion, %s', async (_what, lost, said) => {
  const { world, alter } = await openWorld(undefined, undefined, { cleanup: 'never' });
  await changeInSequence(world, { do: 'delete' });
  const gone = new Set([idAt(world, 5)]);
  alter(withRecords((records) => records.filter(({ id }) => !gone.has(String(id)))));
  expect(inShort(await listInSequence(world, whole))).toEqual([]);
  await changeInSequence(world, { do: 'delete' });
  for (const place of lost) gone.add(idAt(world, place));
  expect(inShort(await listInSequence(world, whole))).toEqual(said);
});

test('after a deletion, a page lacks an item that a longer page shows', async () => {
  const { world, alter } = await openWorld(undefined, undefined, { cleanup: 'never' });
  await changeInSequence(world, { do: 'delete' });
  alter(always(without(idAt(world, 5))));
  const shown = inShort(await listInSequence(world, { ...whole, limit: 99 }));
  expect(shown).toEqual('delete.others-untouched: it is left out');
});

test.each(['deleted-at', 'is-deleted'])('what was deleted may stay with a mark: %s', async (value) => {
  const { world } = await openWorld(undefined, undefined, { 'deleted-sources': value });
  await changeInSequence(world, { do: 'delete' });
  const shown = inShort(await listInSequence(world, { ...whole, behind: 0 }));
  expect(shown).toEqual(['delete.gone-or-marked', ...cursorKept]);
});

test('what another client deletes as well is held against nobody', async () => {
  const { world, alter } = await openWorld();
  await changeInSequence(world, { do: 'delete' });
  let gone = 0;
  alter((request, behind) => {
    gone += 1;
    return withRecords((records) => records.slice(Math.min(gone, 40)))(request, behind);
  });
  await expect(listInSequence(world, whole)).rejects.toThrow(Blocked);
});

const isFiltered = ({ path }: HttpRequest): boolean => path.includes('databaseConnectionId=');
const filter: Command & { do: 'filter' } = { do: 'filter', source: 0, limit: 99, by: 0 };
/** The first model of the data source that must stay. */
const stayingModel = ({ modelsOf }: World): string | undefined =>
  [...modelsOf.values()][0]?.find(({ mayLack }) => !mayLack)?.id;

test.each([
  ['is as before', () => unaltered, ['models.filter']],
  ['is in another order than the whole list', () => inTurn(isFiltered, [], swapped), ['models.filter']],
  ['is in another order once', () => once(swapped), []],
  ['lacks a model', (world: World) => always(without(stayingModel(world))), 'models.filter: it is left out'],
  ['lacks a model that is gone', (world: World) => without(stayingModel(world)), []],
  ['is refused', () => always(refused), expect.stringMatching(/^models.filter: 400/)],
] as const)('the models of a data source, where a page %s', async (_what, alteredIn, said) => {
  const { world, alter } = await openWorld();
  expect([...world.modelsOf.values()][0]?.length).toBeGreaterThan(2);
  alter(alteredIn(world));
  expect(inShort(await filterInSequence(world, filter))).toEqual(said);
});

test('models that were moved to another data source are not missed', async () => {
  const { world, alter } = await openWorld();
  const moved = stayingModel(world);
  alter(
    withRecords((records, { path }) =>
      path.includes('Connection')
        ? records.filter((one) => one['id'] !== moved)
        : records.map((one) => (one['id'] === moved ? { ...one, databaseConnectionId: 'another' } : one)),
    ),
  );
  expect(inShort(await filterInSequence(world, filter))).toEqual([]);
});

test('without models, a filter shows nothing', async () => {
  const { world } = await openWorld(undefined, undefined, { models: '0' });
  const none = { ...world, modelsOf: new Map() };
  expect(inShort(await filterInSequence(none, filter))).toEqual([]);
});

test('a page shows what was deleted gone where it goes on beyond its place', async () => {
  const { world: usual, alter } = await openWorld();
  await changeInSequence(usual, { do: 'delete' });
  const [last] = usual.deleted;
  if (last === undefined) throw new Error('nothing was deleted');
  const { listDataSources, listModels } = usual.lists;
  const deletedAt = 50;
  const items = listDataSources.items.map((item, place) => (place === deletedAt ? { ...item, mayLack: true } : item));
  const id = items[deletedAt]?.id ?? '';
  const deleted = [{ ...last, disposable: { ...last.disposable, id } }];
  const world = { ...usual, deleted, lists: { listModels, listDataSources: { ...listDataSources, items } } };
  const placeOf = (one: string | null | undefined): number => items.findIndex((item) => item.id === one);
  const stays = items.filter(({ mayLack }) => !mayLack);
  const without50 = without(id);
  let pages: { readonly cursor: string | null; readonly last: string }[] = [];
  alter(async (request, behind) => {
    const answer = await without50(request, behind);
    const cursor = new URL(request.path, 'http://x.invalid').searchParams.get('cursor');
    pages.push({ cursor, last: JSON.parse(Buffer.from(answer.body).toString()).data.at(-1)?.id });
    return answer;
  });
  const seen = { true: 0, false: 0 };
  // An odd number is the place of the cursor among what stays.
  for (let behind = deletedAt - 7; behind < deletedAt + 5; behind += 2) {
    expect(behind % 2).toBe(1);
    for (const limit of [1, 2, 4]) {
      pages = [];
      const shown = inShort(await listInSequence(world, { ...behindFourth, behind, limit }));
      const [page] = pages;
      expect(page?.cursor).toBe(stays[behind]?.id);
      const isShown = placeOf(page?.cursor) < deletedAt && placeOf(page?.last) > deletedAt;
      seen[`${isShown}`] += 1;
      expect(shown).toEqual(isShown ? ['delete.gone-or-marked', ...cursorKept] : cursorKept);
    }
  }
  expect(seen.true).toBeGreaterThan(2);
  expect(seen.false).toBeGreaterThan(2);
});

test.each([
  ['twice', 2, 'delete.gone-or-marked: still listed as before'],
  ['once', 1, ['delete.gone-or-marked', ...cursorKept]],
] as const)('what was deleted is shown %s, in its place', async (_how, times, said) => {
  const { world, alter } = await openWorld();
  await changeInSequence(world, { do: 'delete' });
  const order = world.lists.listDataSources.items.map(({ id }) => id);
  const placeOf = (record: unknown): number => order.indexOf(String(at(record, 'id')));
  const put = withRecords((records) =>
    [world.deletable[0]?.record, ...records].toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
  alter(
    inTurn(
      isSmall,
      Array.from({ length: times }, () => put),
    ),
  );
  expect(inShort(await listInSequence(world, { ...behindFourth, behind: 0 }))).toEqual(said);
});

test('the models of each data source are asked for, by turns', async () => {
  const { world, alter } = await openWorld();
  const asked: (string | null)[] = [];
  alter((request, behind) => {
    asked.push(new URL(request.path, 'http://x.invalid').searchParams.get('databaseConnectionId'));
    return behind(request);
  });
  const ids = [...world.modelsOf.keys()];
  for (const source of [0, 1, 2, ids.length, ids.length + 1]) await filterInSequence(world, { ...filter, source });
  expect(asked).toEqual([ids[0], ids[1], ids[2], ids[0], ids[1]]);
});
