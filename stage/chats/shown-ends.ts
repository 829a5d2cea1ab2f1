import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenFinished } from './conversation.ts';
import { quiet, sendAgain } from './sending.ts';

/** Repetitions of a finished message: each may be answered from another copy. */
const looks = 10;

/** Whether repetitions show within the tolerance that a response has finished. Sends a message. */
export async function repetitionsShowEnds(api: Api, chat: Chat): Promise<boolean> {
  const finished = await givenFinished(api, chat);
  await quiet(api, chat);
  for (let look = 0; look < looks; look += 1) {
    const again = await sendAgain(api, finished, { wait: undefined });
    if (again.status !== 200) return false;
  }
  return true;
}
