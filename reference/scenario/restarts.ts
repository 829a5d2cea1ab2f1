import { prompts } from '../prompts.ts';
import { billingPath, inOrganization, messagesOf, type Stage } from './stage.ts';

/** The state after a restart while a response is generating. */
export async function restarts({ main, account, get, post, walk, sleep, restart }: Stage): Promise<void> {
  const messages = messagesOf(main, main.chats[0]);
  await post(`${messages}?wait=300`, { message: prompts.quick }, { key: 'before the restart' });
  await sleep(10_000);
  await post(messages, { message: prompts.slow }, { key: 'at the restart' });
  await restart();
  await post(messages, { message: prompts.slow }, { key: 'at the restart' });
  await sleep(1000);
  await post(`${messages}?wait=300`, { message: prompts.slow }, { key: 'at the restart' });
  await post(messages, { message: prompts.quick }, { key: 'before the restart' });
  await post(`${messages}?wait=300`, { message: prompts.quick }, { key: 'after the restart' });
  await get(billingPath(account.id));
  await walk(inOrganization(main, 'data-sources'), 'limit=100');
}
