import type { ReferenceOptions } from '../reference.ts';
import { lists } from './lists.ts';
import { contents, keys } from './messages.ts';
import { outages } from './outages.ts';
import { billingPath, Differs, inOrganization, messagesOf, openStage, type Stage } from './stage.ts';
import { headersAndQueries } from './headers-and-queries.ts';
import { deletions } from './deletions.ts';

const acts: readonly ((stage: Stage) => Promise<void>)[] = [
  headersAndQueries,
  deletions,
  contents,
  keys,
  lists,
  outages,
  rate, // It sends most of the requests.
];

/**
 * A long conversation that exercises every choice, for tests, with one line for each answer. Two deployments with the same
 * lines are the same for this caller. Given the lines of another deployment, it ends with the first line that differs.
 */
export async function scenario(
  options: Omit<ReferenceOptions, 'clock'>,
  another?: readonly string[],
): Promise<readonly string[]> {
  const stage = openStage(options, another);
  try {
    for (const act of acts) {
      await act(stage);
      await stage.sleep(10_000);
    }
  } catch (error) {
    if (!(error instanceof Differs)) throw error;
  }
  return stage.lines;
}

/** Exceeds the quota at the beginning and late in a window. */
async function rate({ main, small, account, get, post, drop, send, sleep }: Stage): Promise<void> {
  const billing = billingPath(account.id);
  const before = () => post(messagesOf(main, main.chats[6]), { message: 'before the limit' }, { key: 'before' });
  await before();
  await sleep(5000);
  const burst = (count: number, as = 'alice'): Promise<readonly string[]> =>
    Promise.all(Array.from({ length: count }, () => send({ method: 'GET', path: billing, as })));
  await burst(401, 'nobody');
  await get(billing, { as: 'nobody' });
  await burst(401);
  await get(inOrganization(small, 'models?limit=1'));
  await get(billing, { as: 'dave' });
  const limited = await get(billing);
  await post(messagesOf(main, main.chats[6]), { message: 'limited' }, { key: 'limited' });
  await post(messagesOf(main, main.chats[6]), { message: '' });
  await before();
  await drop(main.id, 'nowhere');
  await post(`${billing}/organizations`, { organizationId: account.attachable.at(-3) });
  await sleep(150);
  await get(billing);
  await sleep(Number(/"retryAfterMs":(\d+)/.exec(limited)?.[1] ?? 0));
  await get(billing);
  await post(messagesOf(main, main.chats[6]), { message: 'after the limit' });
  await sleep(5000);
  await before();
  await post(messagesOf(main, main.chats[6]), { message: 'limited' }, { key: 'limited' });
  await post(messagesOf(main, main.chats[6]), { message: '' });

  await sleep(10_000);
  await get(billing);
  await sleep(1500);
  await burst(400);
  await sleep(600);
  await get(billing);
  await get(billing);
}
