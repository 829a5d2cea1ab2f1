import { billingPath, inOrganization, messagesOf, type Stage } from './stage.ts';

/** Exceeds the quota at the beginning and late in a window. */
export async function rate({ main, small, account, get, post, drop, send, sleep }: Stage): Promise<void> {
  const billing = billingPath(account.id);
  const burst = (count: number, as = 'alice'): Promise<readonly string[]> =>
    Promise.all(Array.from({ length: count }, () => send({ method: 'GET', path: billing, as })));
  await burst(401, 'nobody');
  await get(billing, { as: 'nobody' });
  await burst(401);
  await get(inOrganization(small, 'models?limit=1'));
  await get(billing, { as: 'dave' });
  const limited = await get(billing);
  await post(messagesOf(main, main.chats[6]), { message: 'limited' }, { key: 'limited' });
  await drop(main.id, 'nowhere');
  await post(`${billing}/organizations`, { organizationId: account.attachable.at(-3) });
  await sleep(150);
  await get(billing);
  await sleep(Number(/"retryAfterMs":(\d+)/.exec(limited)?.[1] ?? 0));
  await get(billing);
  await post(messagesOf(main, main.chats[6]), { message: 'after the limit' });
  await sleep(5000);
  await post(messagesOf(main, main.chats[6]), { message: 'limited' }, { key: 'limited' });

  await sleep(10_000);
  await get(billing);
  await sleep(1500);
  await burst(400);
  await sleep(600);
  await get(billing);
  await get(billing);
}
