import { billingPath, inOrganization, type Stage } from './stage.ts';

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

/** Attachments, refused and accepted, with the count after each. */
export async function attachments({ account, target, get, post, sleep }: Stage): Promise<void> {
  const billing = billingPath(account.id);
  const [first, second, third] = account.attachable;
  await get(billingPath('nowhere'));
  await post(`${billingPath('nowhere')}/organizations`, { organizationId: first });
  await post(`${billingPath(account.id.toUpperCase())}/organizations`, { organizationId: first });
  await post(`${billing}/organizations`, '{');
  await post(`${billing}/organizations`, [{ organizationId: first }]);
  for (const organizationId of ['x'.repeat(110_000), ` ${first} `, first?.toUpperCase(), first?.slice(0, -1)]) {
    await post(`${billing}/organizations`, { organizationId });
  }
  for (const organizationId of [undefined, null, 5, [first], 'nowhere', first, first, second, third]) {
    await post(`${billing}/organizations`, { organizationId });
    await get(billing);
  }
  const escaped = [...(third ?? '')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  await post(`${billing}/organizations`, `{ "organizationId": "${escaped}" }`);
  for (const as of ['carol', 'dave', 'erin']) await post(`${billing}/organizations`, { organizationId: first }, { as });
  const last = account.attachable.at(-1);
  for (const as of ['carol', 'alice', 'dave']) {
    await post(`${billing}/organizations`, { organizationId: last }, { as });
    await get(billing);
  }
  await post(`${billing}/organizations`, { organizationId: account.attachable.at(-2) }, { as: 'dave' });
  await sleep(6000);
  await get(billing);
  for (const id of account.attachable) await get(inOrganization(id, 'models?limit=1'));
  for (const as of ['bob', 'carol', 'dave', 'erin']) {
    for (const { id } of target.billingAccounts) await get(billingPath(id), { as });
  }
  const another = target.billingAccounts[1];
  await post(`${billingPath(another?.id ?? '')}/organizations`, { organizationId: another?.attachable[0] });
}
