import { isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenChat, readSent } from '../../stage/chats/conversation.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { loseTrack, quiet, send, sendAgain } from '../../stage/chats/sending.ts';
import { givenLast, parentIn } from '../../stage/chats/thread.ts';
import { mustBeSame } from '../messages/same-messages.ts';

/** Texts that code may take for no value. Each costs a message, so the seed chooses one. More languages take 0 for none than a word. */
const falsyKeys = ['0', 'null', '0', 'undefined'] as const;

/** A key is a key even if it reads like no value. An earlier run may have used it: then it shows that run's message each time. */
export async function mustKnowFalsyKey(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const falsy = falsyKeys[api.session.seed % falsyKeys.length] ?? falsyKeys[0];
  const chat = await givenChat(api);
  const last = await givenLast(api, chat);
  await quiet(api, chat);
  const { quickPrompt: text } = api.session.target.assistant;
  const wait = quickPromptWait(api.session);
  const answer = await send(api, chat, { message: text, wait, keyOf: () => falsy });
  if (!isSuccess(answer))
    throw new Blocked(`the key ${falsy}, which an earlier run may have used, was answered ${summary(answer)}`);
  if (parentIn(answer, last) === undefined) loseTrack(api, chat);
  const sent = readSent(chat, falsy, text, answer);
  mustBeSame(sent, await sendAgain(api, sent), `if it is ${falsy}`);
}
