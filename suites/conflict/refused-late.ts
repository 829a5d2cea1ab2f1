import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { isFromThen, lateRefusalsIn } from '../../stage/chats/late-refusals.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { sendAgain } from '../../stage/chats/sending.ts';

/**
 * A gateway may send a message a second time while the first one is held, and pass on the 409 of the second one. The key of that
 * message then shows the response that it has begun. Blocked if the run sent no message at all.
 */
export async function mustNotAcceptRefused(api: Api): Promise<void> {
  for (const late of lateRefusalsIn(api.session)) {
    const again = await sendAgain(api, { ...late, wait: undefined });
    const expected = 'no response to a message that was refused with 409';
    must(!isFromThen(late, again), expected, 'its response, from the time of the 409', late.refused, again);
  }
  await givenAccepted(api);
}
