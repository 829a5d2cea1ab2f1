import { inOrganization, type Stage } from './stage.ts';

/** Deletions and what is left after them. */
export async function deletions({ main, other, small, get, drop, walk, sleep }: Stage): Promise<void> {
  const gone = main.disposableDataSources.at(-1) ?? '';
  const before = await walk(inOrganization(main, 'data-sources'), 'limit=100', { as: 'dave' });
  const place = before.indexOf(gone);
  await get(inOrganization(main, `models?databaseConnectionId=${gone}`));
  await get(inOrganization(main, `data-sources?limit=3&cursor=${before[place - 1]}`));
  await drop(main.id, other.disposableDataSources[0] ?? '');
  await drop(small.id, gone);
  for (const id of ['nowhere', gone, gone, main.disposableDataSources.at(-2) ?? '']) await drop(main.id, id);
  await drop(main.id, gone, { as: 'erin' });
  await drop(main.id, main.disposableDataSources.at(-4) ?? '', { as: 'dave' });
  await get(inOrganization(other, 'data-sources'), { as: 'erin' });
  await drop(main.id, main.disposableDataSources.at(-5) ?? '', { as: 'erin' });
  await drop(other.id, other.disposableDataSources.at(-1) ?? '', { as: 'erin' });
  await get(inOrganization(other, 'data-sources'), { as: 'erin' });
  const inexact = main.disposableDataSources.at(-3) ?? '';
  for (const id of [inexact.toUpperCase(), inexact.slice(0, -1)]) await drop(main.id, id);
  const left = await walk(inOrganization(main, 'data-sources'), 'limit=60');
  await get(inOrganization(main, `data-sources?limit=1&cursor=${left.at(-3)}`));
  for (const id of [before[place - 2], before[place + 2]])
    await get(inOrganization(main, `data-sources?limit=1&cursor=${id}`));
  await get(inOrganization(main, `models?databaseConnectionId=${gone}`));
  await walk(inOrganization(main, 'data-sources'), 'limit=10');
  await get(inOrganization(main, `data-sources?limit=2&cursor=${gone}`));
  await walk(inOrganization(main, 'models'), 'limit=100');
  await sleep(10_000);
  await walk(inOrganization(main, 'models'), 'limit=100');
}
