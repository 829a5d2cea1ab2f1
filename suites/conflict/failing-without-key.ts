import { type Exchange, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { hasUnkeyedErred } from '../../engine/session/errors/unkeyed-errors.ts';
import { giveBack, givenPair, makeIdle, pairOf } from '../../stage/chats/conversation.ts';
import { quiet, send, unkeyed } from '../../stage/chats/sending.ts';
import { mayRecur, mustBeAccidents, withTransientErrors } from '../shared/transient-errors.ts';

/** The messages before are this far away, in milliseconds, so that they do not disturb the first of the two. */
const apartMs = 1500;

/**
 * If a message without a key ended in an internal error, sends such messages to two idle chats, one right after the other: without a key
 * they may share something. A single error may be an accident. Nothing is sent if no message ended so.
 */
export async function mustNotFailWithoutKey(api: Api): Promise<void> {
  if (!hasUnkeyedErred(api.session) || api.session.chats.all.length < 2) return;
  const pair = await givenPair(api, pairOf(api));
  try {
    const rounds: (readonly Exchange[])[] = [];
    while (mayRecur(rounds)) {
      for (const chat of pair) await makeIdle(api, chat);
      await api.session.clock.sleep(apartMs);
      for (const chat of pair) await quiet(api, chat);
      const erred = await sendBoth(api, pair);
      if (erred === undefined) return;
      rounds.push(erred);
    }
    const expected = 'a message without a key accepted while another chat is generating';
    mustBeAccidents(api, 'sendMessage', rounds, pair.length, expected, 'messages without a key in two chats');
  } finally {
    for (const chat of pair) giveBack(api, chat);
  }
}

/** The internal errors. Undefined if the first message was refused: a deployment may require a key for every message. */
async function sendBoth(api: Api, [one, other]: readonly [Chat, Chat]): Promise<readonly Exchange[] | undefined> {
  const draft = { message: api.session.target.assistant.quickPrompt, ...unkeyed };
  const { made, stumbled } = await withTransientErrors(api, async () => {
    const first = await send(api, one, draft);
    return { first, second: await send(api, other, draft) };
  });
  if (!isSuccess(made.first)) return undefined;
  return isOwnInternalError(made.second) ? [...stumbled, made.second.exchange] : stumbled;
}
