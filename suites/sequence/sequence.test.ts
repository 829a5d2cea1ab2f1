import { expect, test } from 'vitest';
import { TransportError } from '../../core/http.ts';
import { type Altered, openWorld, withRecords } from '../../testing/sequence-world.ts';
import type { Command } from './sequence-commands.ts';
import { type Failure, shorterFailure } from './sequence-failure.ts';
import { filterInSequence, listInSequence } from './sequence-lists.ts';
import { type ShownAt, shownBy } from './sequence-player.ts';
import type { World } from './sequence-world.ts';

async function played(world: World, commands: readonly Command[]): Promise<readonly ShownAt[]> {
  const shown: ShownAt[] = [];
  for await (const one of shownBy(world, commands, () => true)) shown.push(one);
  return shown;
}

const attach: Command = { do: 'attach' };
const attachAgain: Command = { do: 'attach-again', which: 0 };
const stranger: Command = { do: 'stranger', which: 0 };

/** Lets strangers list data sources while it is open. */
function createDoor(openedBy: (posts: number) => boolean, isShutByReads: boolean): Altered {
  let posts = 0;
  let isOpen = false;
  return async (request, behind) => {
    const { method } = request;
    const answer = await behind(request);
    if (method === 'POST') {
      posts += 1;
      isOpen ||= openedBy(posts);
    }
    if (answer.status < 400 || method !== 'GET' || !isOpen) return answer;
    isOpen = !isShutByReads;
    return { ...answer, status: 200 };
  };
}

test.each([
  ['only once', 'never', [attachAgain, stranger], createDoor((posts) => posts === 1, true)],
  ['after each write', 'played', [attachAgain, stranger], createDoor(() => true, true)],
  ['from the first write on', 'always', [attachAgain, stranger], createDoor(() => true, false)],
  ['after each write', 'played', [attach, attachAgain, stranger], createDoor((posts) => posts > 1, true)],
  ['from a change on', 'always', [attach, attachAgain, stranger], createDoor(() => true, false)],
] as const)('a failure that shows %s recurs: %s', async (_when, recurs, commands, altered) => {
  const { world, alter } = await openWorld();
  alter(altered);
  const { at, broken } = (await played(world, commands)).at(-1) ?? {};
  if (at === undefined || broken === undefined) throw new Error('the sequence breaks no promise');
  const failure: Failure = { commands, at, broken, recurs: undefined };
  const shorter = commands.filter((command) => command !== attachAgain);
  expect(await shorterFailure(world, shorter, failure)).toMatchObject({ commands, at, recurs });
});

test('models of data sources that may be deleted are not asked for', async () => {
  const { world, target } = await openWorld();
  const disposables = target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources);
  const { items } = world.lists.listModels;
  expect(items.some(({ mayLack }) => mayLack)).toBe(true);
  expect([...world.modelsOf.keys()].filter((id) => disposables.includes(id))).toEqual([]);
});

test('a change without an answer ends a sequence, and accuses nobody', async () => {
  const { world, alter } = await openWorld();
  alter(async (request, behind) => {
    if (request.method === 'DELETE') throw new TransportError('reset', 'gone');
    return behind(request);
  });
  expect(await played(world, [stranger, { do: 'delete' }, stranger])).toEqual([
    { at: 0, kept: ['access.denied/listDataSources'], broken: undefined },
    { at: 1, kept: [], broken: undefined, obstacle: expect.stringContaining('gone') },
  ]);
});

test('a read without an answer shows nothing', async () => {
  const { world, alter } = await openWorld();
  alter(async () => {
    throw new TransportError('reset', 'gone');
  });
  expect(await played(world, [stranger])).toEqual([
    { at: 0, kept: [], broken: undefined, obstacle: expect.stringContaining('gone') },
  ]);
});

test('a mistake of the suite is not hidden', async () => {
  const { world, alter } = await openWorld();
  alter(() => {
    throw new TypeError('a mistake');
  });
  await expect(played(world, [{ do: 'delete' }])).rejects.toThrow('a mistake');
  await expect(played(world, [stranger])).rejects.toThrow('a mistake');
});

test('a deleted data source is found on any page that shows it, and a page elsewhere shows nothing', async () => {
  const { world, alter } = await openWorld();
  const [first] = world.deletable;
  if (first === undefined) throw new Error('no data source may be deleted');
  await played(world, [{ do: 'delete' }]);
  const command = { do: 'list', list: 'listDataSources', behind: null, limit: 2, by: 0 } as const;
  expect((await listInSequence(world, command)).kept).toEqual(['delete.others-untouched']);
  alter(withRecords((records) => [first.record, ...records]));
  expect((await listInSequence(world, command)).broken?.promise).toBe('delete.gone-or-marked');
});

test('models that name no data source are judged by no filter', async () => {
  const { world, alter } = await openWorld(
    withRecords((records) => records.map(({ databaseConnectionId: _source, ...record }) => record)),
  );
  expect([...world.modelsOf.keys()]).toEqual(['']);
  const unfiltered: Altered = (request, behind) =>
    behind({ ...request, path: request.path.replace(/&?databaseConnectionId=/, '') });
  alter(unfiltered);
  const shown = await filterInSequence(world, { do: 'filter', source: 0, limit: 5, by: 0 });
  expect(shown).toEqual({ kept: ['models.filter'], broken: undefined });
});

test('models of a data source are kept, and one of another is a violation even where no list showed it', async () => {
  const { world, alter } = await openWorld();
  const command = { do: 'filter', source: 0, limit: 5, by: 0 } as const;
  expect(await filterInSequence(world, command)).toEqual({ kept: ['models.filter'], broken: undefined });
  alter(withRecords((records) => [...records, { ...records[0], id: 'new', databaseConnectionId: 'another' }]));
  expect((await filterInSequence(world, command)).broken?.promise).toBe('models.filter');
});

test('where a failure recurs whatever is sent, only reads can be left out', async () => {
  const { world, alter } = await openWorld();
  const count: Command = { do: 'count' };
  const commands = [count, attachAgain, { ...stranger, which: 0 }, count] as const;
  alter(createDoor(() => true, false));
  const shown = (await played(world, commands)).find((one) => one.broken !== undefined);
  if (shown?.broken === undefined) throw new Error('the sequence breaks no promise');
  const failure: Failure = { commands, at: shown.at, broken: shown.broken, recurs: 'always' };
  const [, write, read] = commands;
  alter(() => {
    throw new Error('nothing is sent');
  });
  const withoutReads = [write, read];
  expect(await shorterFailure(world, withoutReads, failure)).toEqual({ ...failure, commands: withoutReads, at: 1 });
  expect(await shorterFailure(world, [read], failure)).toEqual(failure);
  expect(await shorterFailure(world, [write], failure)).toEqual(failure);
  // The beginning shows the same if it reaches the command that showed it.
  const beginning = commands.slice(0, 3);
  expect(await shorterFailure(world, beginning, failure)).toEqual({ ...failure, commands: beginning });
  expect(await shorterFailure(world, commands.slice(0, 2), failure)).toEqual(failure);
});

test('each command of a sequence is performed, and pauses take their time', async () => {
  const { world } = await openWorld();
  const { clock } = world.api.session;
  const list: Command = { do: 'list', list: 'listModels', behind: 1, limit: 2, by: 0 };
  const kept = async (...commands: readonly Command[]) => (await played(world, commands)).map((shown) => shown.kept);
  const send: Command = { do: 'send', chat: 0 };
  expect(await kept(send, { do: 'repeat', back: 0 })).toEqual([[], ['idempotency.after']]);
  expect(await kept(list)).toEqual([['paging.any-id-is-cursor/listModels']]);
  expect(await kept({ do: 'filter', source: 0, limit: 2, by: 0 })).toEqual([['models.filter']]);
  expect(await kept({ do: 'count' })).toEqual([['attach.count', 'attach.twice']]);
  const pausedMs = async (...commands: readonly Command[]) => {
    const startedAt = clock.now();
    await played(world, commands);
    return clock.now() - startedAt;
  };
  expect(await pausedMs({ do: 'pause', ms: 700 })).toBe(700);
  await played(world, [{ do: 'delete' }]);
  const after: Command = { do: 'pause-after-deletion', ms: 5000 };
  const pause: Command = { do: 'pause', ms: 1000 };
  expect(await pausedMs(pause, after)).toBeGreaterThan(4900);
  expect(await pausedMs(after)).toBe(0);
});
