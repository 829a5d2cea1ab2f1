import { billingPath, inOrganization, messagesOf, type Stage } from './stage.ts';

/** Tokens that are no key, most of them made of one. */
function wrongTokens(key: string): readonly string[] {
  const altered = `${key.slice(0, 30)}~${key.slice(31)}`;
  return [
    '',
    'awc_test_0',
    key.slice(0, 24),
    'Z'.repeat(key.length),
    altered,
    `${key.slice(0, 16)}~${key.slice(17)}`,
    `${key}0`,
    `0${key}`,
    key.toUpperCase(),
    'z'.repeat(300),
    key.slice(0, -1),
    `${key.slice(0, -1)}~`,
    `${key},x`,
    '%',
    "'OR'1'='1",
    'null',
    'a.b.c',
    `%${Buffer.from(key.slice(0, 1)).toString('hex')}${key.slice(1)}`,
    Buffer.from(key).toString('base64'),
    `"${key}"`,
    `Bearer ${key}`,
    `${key.slice(0, 20)} ${key.slice(20)}`,
    key.slice(20),
    `${key.slice(0, 20)}_${key.slice(21)}`,
    key.replace('_', '-'),
    key.slice(9),
    `AWC_test_${key.slice(9)}`,
  ];
}

/** Wrong keys, missing roles, and unknown resources. */
export async function who({ main, other, small, account, aliceKey: key, get, post, drop }: Stage): Promise<void> {
  const billing = billingPath(account.id);
  const tokens = wrongTokens(key);
  const password = `Basic ${Buffer.from(`:${key}`).toString('base64')}`;
  for (const authorization of [
    key,
    `Bearer${key}`,
    password,
    `Basic ${key}`,
    `BearerToken ${key}`,
    ...tokens.map((token) => `Bearer ${token}`),
  ]) {
    for (const path of [billing, inOrganization(main, 'models?limit=1'), inOrganization('nowhere', 'data-sources')]) {
      await get(path, { authorization });
    }
  }
  await get(billing, { as: 'nobody' });
  await get(billing, { headerNames: 'capitals' });
  await get(billingPath(account.id.toUpperCase()));
  for (const coding of ['gzip', 'br']) {
    await get(inOrganization(main, 'models?limit=100'), { headers: { 'accept-encoding': coding } });
  }
  await get(billing, { authorization: `bearer ${key}` });
  await post(messagesOf(main, main.chats[0]), { message: 'x' }, { as: 'nobody' });
  await post(messagesOf(main, 'none'), { message: 'x' }, { as: 'nobody' });
  await post(messagesOf(main, 'none'), '{', { as: 'nobody' });
  await post(messagesOf(main, 'none'), { message: 'x'.repeat(10_001) }, { as: 'nobody' });
  await get(inOrganization(main, 'models?limit=0'), { as: 'nobody' });
  await get(`${billing}?api_key=${key}`, { as: 'nobody' });
  for (const headers of [
    { 'x-api-key': key },
    { cookie: `token=${key}` },
    { accept: 'text/html' },
    { 'x-forwarded-for': '127.0.0.1' },
  ])
    await get(billing, { as: 'nobody', headers });
  await get(inOrganization(main, 'models'), { as: 'erin', headers: { 'x-organization-id': other.id } });
  await get(inOrganization(main, `models?orgId=${other.id}`), { as: 'erin' });
  await get(inOrganization(main, 'data-sources?limit=100'), { as: 'bob' });
  await get(`/api/public/organizations/%6f${main.id.slice(1)}/data-sources`, { as: 'bob' });
  await get(inOrganization(main, 'data-sources/'), { as: 'bob' });
  await drop(main.id, main.disposableDataSources[0] ?? '', { as: 'nobody' });
  for (const as of ['bob', 'carol', 'dave', 'erin']) {
    for (const kind of ['models', 'data-sources']) await get(inOrganization(main, `${kind}?limit=1`), { as });
    if (as !== 'dave') await drop(main.id, main.disposableDataSources[1] ?? '', { as });
    await get(billing, { as });
    await post(`${billing}/organizations`, { organizationId: account.attachable[0] }, { as });
    await get(billing);
  }
  await get(inOrganization('nowhere', 'models'));
  await get(inOrganization(main, 'models?databaseConnectionId=nowhere'));
  await get(inOrganization(main, 'models?databaseConnectionId=nowhere&cursor=nowhere'));
  await get(inOrganization(main, `models?databaseConnectionId=${other.disposableDataSources[0]}`));
  await get(inOrganization(main, `models?cursor=${'x'.repeat(9000)}`));
  for (const id of [main.chats.at(-1)?.toUpperCase(), main.chats.at(-1)?.slice(0, -1)]) {
    await post(messagesOf(main, id), { message: 'x' });
  }
  await get('/api/public/organizations/%00/models');
  await get(inOrganization('odd" one', 'models'));
  await get(inOrganization(`${main.id} `, 'models?limit=1'));
  await get(inOrganization(main, 'models?databaseConnectionId=%25&limit=1'));
  await get(billingPath(`${account.id}x`));
  await get(inOrganization(small, 'models?limit=1&limit=2'));
}
