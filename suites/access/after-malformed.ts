import { type Exchange, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { hasErredAfterMalformed } from '../../engine/session/errors/after-malformed.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { send } from '../../stage/chats/sending.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenGranted } from './access-matrix.ts';
import { errorOf, mustNotRecur } from './after-pauses.ts';

/** How often a body that is no JSON is sent again. Each one of the run may have caused an error, so those are not rare. */
const bodies = 5;
const malformed = '{"message": "Reply with ok."';

/**
 * If a request ended in an internal error soon after a body that is no JSON, such a body is sent several times, and something is read right
 * after each: internal errors that come by chance do not come each time. Nothing is sent if no request ended so.
 */
export async function mustAnswerAfterMalformed(api: Api): Promise<void> {
  const cell = (await givenGranted(api, 'listModels')).find(({ answer }) => isSuccess(answer));
  if (cell === undefined) throw new Blocked('no list of models could be read at the beginning of the run');
  if (!hasErredAfterMalformed(api.session)) return;
  const chat = await givenIdleChat(api);
  const erred: Exchange[] = [];
  while (erred.length < bodies) {
    const refused = await send(api, chat, { body: malformed });
    if (refused.status >= 500 || isSuccess(refused)) return;
    const error = await errorOf(api, 'listModels', cell);
    if (error === undefined) return;
    erred.push(error);
  }
  mustNotRecur(api, `${bodies} bodies that are no JSON`, erred);
}
