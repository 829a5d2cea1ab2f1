import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import type { Walk } from './walk.ts';
import { lossBetween, readLists, strayChangeBetween, unlessBlocked } from './snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

const walkOf = (ids: string, complete = true): Walk => ({
  items: [...ids].map((id) => ({ id, createdAt: undefined, record: { id } })),
  pages: [],
  complete,
});

test.each([
  ['nothing', 'abcd', 'abcd', undefined],
  ['something new at each end and between', 'abcd', 'xabyycdz', undefined],
  ['the newest', 'abcd', 'bcd', /^1 of 4 gone, such as "a"$/],
  ['the oldest', 'abcd', 'abc', /^1 of 4 gone, such as "d"$/],
  ['some in the middle', 'abcde', 'ace', /^2 of 5 gone, such as "b"$/],
  ['everything', 'abcd', '', /^4 of 4 gone/],
  ['the order of two', 'abcd', 'abdc', /^"d" now before "c"$/],
  ['the order of the first two', 'abcd', 'bacd', /^"b" now before "a"$/],
])('sees the loss of %s', (_what, before, after, loss) => {
  const lost = lossBetween(walkOf(before), walkOf(after), () => false);
  if (loss === undefined) expect(lost).toBeUndefined();
  else expect(lost).toMatch(loss);
});

test('takes what may go for no loss', () => {
  expect(lossBetween(walkOf('abcd'), walkOf('acd'), ({ id }) => id === 'b')).toBeUndefined();
  expect(lossBetween(walkOf('abcd'), walkOf('ad'), ({ id }) => id === 'b')).toMatch(/^1 of 3 gone, such as "c"$/);
});

test.each([
  ['the later walk', walkOf('abcdef'), walkOf('abc', false)],
  ['the earlier walk', walkOf('abc', false), walkOf('xabcdef')],
  ['both, the later one earlier for what is new', walkOf('abcd', false), walkOf('xyab', false)],
])('expects nothing behind the end where %s was cut short', (_what, before, after) => {
  expect(lossBetween(before, after, () => false)).toBeUndefined();
});

test('sees what is gone before the end of a walk that was cut short', () => {
  expect(lossBetween(walkOf('abcdef'), walkOf('acd', false), () => false)).toMatch(/^1 of 4 gone, such as "b"$/);
});

type Fields = Readonly<Record<string, unknown>>;
const listOf = (...records: readonly Fields[]): Walk => ({
  items: records.map((record) => ({ id: String(record['id']), createdAt: undefined, record })),
  pages: [],
  complete: true,
});

const deleted = { id: 'gone', displayName: 'Old', updatedAt: 'then' };
const other = {
  id: 'other',
  displayName: 'Sales',
  createdAt: '2026-01-01T12:00:00Z',
  updatedAt: '2026-01-01T12:00:01Z',
};

test.each<[string, Fields, RegExp | undefined]>([
  ['nothing', other, undefined],
  ['a health check', { ...other, lastHealthStatus: 'DOWN', lastHealthyAt: 'now' }, undefined],
  ['an edit by another client', { ...other, displayName: 'Sold', updatedAt: 'now' }, undefined],
  [
    'another name, which no request gave it',
    { ...other, displayName: 'Old' },
    /^displayName of "other" changed from "Sales"/,
  ],
  ['its creation in another form', { ...other, createdAt: '2026-01-01T13:00:00.000+01:00' }, undefined],
  [
    'another creation, which no edit changes',
    { ...other, createdAt: '2026-01-02T12:00:00Z', updatedAt: 'now' },
    /^createdAt of "other" changed from /,
  ],
  ['the mark of a deletion', { ...other, deletedAt: 'now' }, /^"other" marked too, by "deletedAt"$/],
  ['the very change of what was deleted', { ...other, state: 'x' }, /^"other" marked too, by "state"$/],
  ['a change of its own', { ...other, state: 'y' }, undefined],
])('reports changes of what stays: %s', (_what, now, change) => {
  const before = listOf(deleted, other);
  const after = listOf({ ...deleted, state: 'x', deletedAt: 'now' }, now);
  const stray = strayChangeBetween(before, after, 'gone');
  if (change === undefined) expect(stray).toBeUndefined();
  else expect(stray).toMatch(change);
});

test('a field that changes in most records marks none of them', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const listWith = (servedBy: string, ...marked: readonly string[]) =>
    listOf({ ...deleted, servedBy }, ...ids.map((id) => ({ id, servedBy: marked.includes(id) ? 'node 2' : 'node 1' })));
  expect(strayChangeBetween(listWith('node 1'), listWith('node 2', ...ids), 'gone')).toBeUndefined();
  expect(strayChangeBetween(listWith('node 1'), listWith('node 2', 'b', 'c'), 'gone')).toMatch(/^"b" marked too/);
});

test('reports neither the deleted item nor what is gone', () => {
  const marked = { ...deleted, deletedAt: 'now', displayName: 'x' };
  expect(strayChangeBetween(listOf(deleted, other), listOf(marked), 'gone')).toBeUndefined();
});

test('does without what is blocked, and without nothing else', async () => {
  expect(await unlessBlocked(async () => 1)).toBe(1);
  expect(await unlessBlocked(() => Promise.reject(new Blocked('no chat')))).toBeUndefined();
  await expect(unlessBlocked(() => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
});

/** The organizations whose list of models is read afresh, where these are declared, one cannot be read, and some are wanted. */
async function readAfresh(declared: RegExp, unreadable: string, wanted = /./): Promise<readonly string[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const organizations = target.organizations.filter(({ id }) => declared.test(id));
  const refused = { status: 404, headers: {}, body: Buffer.from('{}') };
  const session = createSession({
    deployment: async (request) => (request.path.includes(`/${unreadable}/`) ? refused : deployment(request)),
    target: { ...target, organizations },
    clock,
    seed: 1,
    invariants: [],
  });
  return [
    ...(
      await readLists(
        new Api(session, 'test'),
        'listModels',
        organizations.map(({ id }) => id).filter((id) => wanted.test(id)),
      )
    ).keys(),
  ];
}

test('only the lists of the organizations that are wanted are read', async () => {
  expect(await readAfresh(/^org_(main|small)$/, 'none', /small/)).toEqual(['org_small']);
});

test.each([
  [/^org_(main|small|empty)$/, 'none', ['org_main', 'org_small']],
  [/^org_(main|small)$/, 'none', ['org_main', 'org_small']],
  [/^org_(main|small)$/, 'org_main', ['org_small']],
])('of %s, where %s cannot be read, are read afresh %j', async (declared, unreadable, read) => {
  expect(await readAfresh(declared, unreadable)).toEqual(read);
});
