import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import { type Api, as, type Caller } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { giveBack, givenChat, givenIdleChat, makeIdle, readSent } from '../../stage/chats/conversation.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';
import { quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { adminsOf } from '../../stage/lists/lists.ts';

/** A message of another admin than the one who uses its chat, which was idle. */
type FromAnother = {
  readonly chat: Chat;
  readonly caller: Caller;
  /** What showed the chat idle, and the answer to the message. */
  readonly shown: readonly Answer[];
  readonly answer: Answer;
  /** The message, and the answer to its repetition, if its response finished within its wait and keys work. */
  readonly repeated: { readonly sent: Sent; readonly again: Answer } | undefined;
};

/** How often an idle chat must refuse another admin, each time after a message of the admin who uses it. */
const times = 3;

/** The message, sent once in a run. It leases a chat, so call it before leasing one. */
export const givenFromAnother = shared(async (api: Api): Promise<FromAnother> => {
  const keys = await keysWork(api);
  const otherOf = ({ organizationId, admin }: Chat) => adminsOf(api, organizationId).find((one) => one !== admin);
  const isShared = (one: Chat): boolean => otherOf(one) !== undefined;
  if (!api.session.chats.all.some(isShared)) throw new Blocked('needs a chat of an organization with two admins');
  const chat = await givenIdleChat(api, isShared);
  try {
    const caller = as(otherOf(chat) ?? chat.admin);
    const key = api.freshKey();
    const shown = await sendOnceIdle(api, chat, caller, key);
    const [answer] = shown;
    if (!keys || answer.status !== 200) return { chat, caller, shown, answer, repeated: undefined };
    const text = api.session.target.assistant.quickPrompt;
    const sent = { ...readSent(chat, key, text, answer), caller };
    return { chat, caller, shown, answer, repeated: { sent, again: await sendAgain(api, sent) } };
  } finally {
    giveBack(api, chat);
  }
});

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

/** The answer to a message to the idle chat, and what showed the chat idle. */
async function sendOnceIdle(
  api: Api,
  chat: Chat,
  caller: Caller,
  key: string,
): Promise<readonly [Answer, ...Answer[]]> {
  const { finished } = api.session.chats.standing(chat);
  await quiet(api, chat);
  const { quickPrompt: message } = api.session.target.assistant;
  const draft = { message, wait: quickPromptWait(api.session), keyOf: () => key };
  const answer = await send(api, chat, draft, { caller });
  return finished === undefined ? [answer] : [answer, finished];
}
