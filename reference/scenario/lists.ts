import { inOrganization, type Stage } from './stage.ts';

/** The first ID of a page. */
function idIn(line: string): string {
  return /\{"id":"([^"]+)"/.exec(line)?.[1] ?? '';
}

/** IDs that differ from another ID only in case. */
function twinsIn(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => ids.some((other) => other !== id && other.toLowerCase() === id.toLowerCase()));
}

/** Both lists, with every kind of limit, cursor and filter. */
export async function lists({ main, other, small, empty, get, walk }: Stage): Promise<void> {
  const ids = await walk(inOrganization(main, 'models'), 'limit=25');
  for (const size of [1, 7, 50, 100]) await walk(inOrganization(small, 'models'), `limit=${size}`);
  await get(inOrganization(small, 'models'));
  await get(inOrganization(small, 'data-sources?limit=100'));
  await Promise.all([main, small].map((place, index) => get(inOrganization(place, `models?limit=${index + 2}`))));
  await get(inOrganization(main, 'models?limit%5B%5D=5'));
  await walk(inOrganization(main, 'models'), 'limit=51');
  const sourceIds = await walk(inOrganization(main, 'data-sources'), 'limit=30');
  await walk(inOrganization(main, 'data-sources'), 'limit=100');
  for (const kind of ['models', 'data-sources']) {
    for (const limit of [
      '',
      '?limit=1',
      '?limit=0',
      '?limit=101',
      '?limit=2147483648',
      '?limit=4294967297',
      '?limit=99999999999999999999',
      '?limit=-1',
      '?limit=1.5',
      '?limit=1e3',
      '?limit=x',
    ]) {
      await get(inOrganization(main, `${kind}${limit}`));
    }
    await get(inOrganization(main, `${kind}?cursor=nowhere`));
    await get(inOrganization(main, `${kind}?cursor=`));
    await get(inOrganization(empty, kind));
  }
  await get(inOrganization(main, `models?limit=1&cursor=${ids[19]}`));
  await get(inOrganization(main, `models?limit=1&cursor=${ids[49]}`));
  await get(inOrganization(main, `models?cursor=${ids[0]}`));
  for (const limit of [2, 1000]) await get(inOrganization(main, `models?cursor=${ids[0]}&limit=${limit}`));
  for (const id of [ids[0], ids[10], ...twinsIn(ids), ids[99]])
    await get(inOrganization(main, `models?limit=2&cursor=${id}`));
  for (const [kind, id] of [
    ['models', ids[0]],
    ['data-sources', sourceIds[0]],
  ]) {
    await get(inOrganization(main, `${kind}?cursor=${id}`), { as: 'bob' });
  }
  await get(inOrganization(main, `models?databaseConnectionId=${sourceIds[0]}`), { as: 'bob' });
  for (const id of [...sourceIds.slice(0, 4), ...twinsIn(sourceIds)]) {
    await walk(inOrganization(main, 'models'), `limit=20&databaseConnectionId=${id}`);
    await get(inOrganization(main, `models?limit=100&databaseConnectionId=${id}`));
    for (const limit of [1, 2]) await get(inOrganization(main, `models?limit=${limit}&databaseConnectionId=${id}`));
    await get(inOrganization(main, `models?limit=1&databaseConnectionId=${id}&cursor=${ids[0]}`));
  }
  await walk(inOrganization(main, 'models'), `limit=25&databaseConnectionId=${sourceIds[0]}`);
  const filters = ['', ...sourceIds.slice(0, 2).map((id) => `&databaseConnectionId=${id}`)];
  await Promise.all(filters.map((filter) => get(inOrganization(main, `models?limit=3${filter}`))));
  const newest = await get(inOrganization(main, 'models?limit=1'));
  const [, used = ''] = /"databaseConnectionId":"([^"]+)"/.exec(newest) ?? [];
  const filtered = await get(inOrganization(main, `models?databaseConnectionId=${used}&limit=1`));
  await get(inOrganization(main, `models?cursor=${idIn(filtered)}`));
  await get(inOrganization(main, `models?databaseConnectionId=${used}&cursor=${idIn(filtered)}`));
  await get(inOrganization(main, 'models?limit=80'));
  await get(inOrganization(main, 'models'), { as: 'dave' });
  for (const id of [sourceIds[105], sourceIds.at(-1)]) await get(inOrganization(main, `data-sources?cursor=${id}`));
  await get(inOrganization(main, `models?databaseConnectionId=${sourceIds[0]}`));
  const foreign = await get(inOrganization(other, 'data-sources?limit=1'), { as: 'erin' });
  const foreignModel = await get(inOrganization(other, 'models?limit=1'), { as: 'erin' });
  for (const id of [foreign, foreignModel].map(idIn)) {
    await get(inOrganization(main, `models?databaseConnectionId=${id}`));
    for (const kind of ['models', 'data-sources']) await get(inOrganization(main, `${kind}?cursor=${id}`));
  }
}
