import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { givenFromAnother, sendOnceIdle } from '../../stage/chats/another-admin.ts';
import { givenChat, makeIdle } from '../../stage/chats/conversation.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';

/** How often an idle chat must refuse another admin, each time after a message of the admin who uses it. */
const times = 3;

/** Words of an error that speaks of a response. One word for every conflict may deny the chat to the other admin. */
const saysBusy = /generat|in progress|respon|answering|running|busy/i;

/**
 * An idle chat must not tell another admin that it is busy. The other admin may be no user of the chat, and any status may say so. Only
 * the error of a busy chat counts, if it speaks of a response.
 */
export async function mustBeIdleForAnother(api: Api): Promise<void> {
  const { chat, caller, shown, answer } = await givenFromAnother(api);
  if (isSuccess(answer)) return;
  const denied = `${caller.name}, another admin, may not use the chat: ${summary(answer)}`;
  const { chat: sampled, second } = await givenSample(api);
  const error = errorIn(answer, chat);
  if (second.status !== 409 || error !== errorIn(second, sampled) || !saysBusy.test(error)) throw new Blocked(denied);
  await givenChat(api, (one) => one === chat);
  const seen = [...shown];
  for (let time = 1; time < times; time += 1) {
    await makeIdle(api, chat);
    const [next, ...before] = await sendOnceIdle(api, chat, caller, api.freshKey());
    if (next.status !== 409) throw new Blocked(`the chat was busy once: ${summary(answer)}`);
    seen.push(next, ...before);
  }
  const actual = `${summary(answer)} to ${caller.name}, another admin, each of ${times} times`;
  throw new Violation(
    'the next message accepted after a finished response',
    actual,
    seen.map(({ exchange }) => exchange),
  );
}

/** What the error says, without the ID of the chat. */
function errorIn({ status, json }: Answer, { chatId }: Chat): string {
  const texts = ['title', 'detail'].map((field) => stringAt(json, 'error', field)?.replaceAll(chatId, ''));
  return JSON.stringify([status, ...texts]);
}
