import { prompts } from '../prompts.ts';
import { billingPath, inOrganization, messagesOf, type Stage } from './stage.ts';

/** The state after each outage while a response is generating, and what is sent meanwhile. */
export async function outages(stage: Stage): Promise<void> {
  const { main, outages, post } = stage;
  await through(stage, 'pause', () => outages.pause(10));
  await through(stage, 'back', () => outages.clock(-300));
  await through(stage, 'forward', () => outages.clock(300));
  await through(stage, 'failover', () => outages.failover(0));
  await through(stage, 'restart', () => outages.restart(0));
  await post(messagesOf(main, main.chats[0]), { message: prompts.quick }, { key: 'after all outages' });
}

async function through(stage: Stage, name: string, act: () => Promise<void>): Promise<void> {
  const { main, small, account, get, post, send, walk, sleep } = stage;
  const few = inOrganization(small, 'models?limit=1');
  const messages = messagesOf(main, main.chats[0]);
  const models = inOrganization(main, 'models?limit=1');
  const say = (text: string, key: string, leavesAfterMs?: number): Promise<string> =>
    post(
      messages,
      { message: text },
      { key: `${name}: ${key}`, ...(leavesAfterMs === undefined ? {} : { leavesAfterMs }) },
    );
  await say(prompts.quick, 'before');
  await sleep(10_000);
  const cursor = /"nextCursor":"([^"]+)"/.exec(await get(models))?.[1] ?? '';
  await say(prompts.slow, 'generating');
  await get(few, { as: 'bob' });
  await sleep(100);
  const over = act();
  await sleep(500);
  await say(prompts.slow, 'meanwhile', 2000);
  await Promise.all([say(prompts.slow, 'meanwhile'), say(prompts.slow, 'at the same instant')]);
  await over;
  await say(prompts.slow, 'generating');
  await say(prompts.quick, 'before');
  await get(`${models}&cursor=${encodeURIComponent(cursor)}`);
  await post(`${billingPath(account.id)}/organizations`, { organizationId: account.attachable[0] });
  await get(billingPath(account.id));
  await walk(inOrganization(main, 'data-sources'), 'limit=100');
  if (name === 'back')
    await Promise.all(Array.from({ length: 200 }, () => send({ method: 'GET', path: few, as: 'bob' })));
  await sleep(2500);
  await get(few, { as: 'bob' });
  await say(prompts.slow, 'after');
  await sleep(10_000);
}
