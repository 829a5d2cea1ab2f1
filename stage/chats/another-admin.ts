import type { Answer } from '../../core/exchange.ts';
import { type Api, as, type Caller } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import type { Principal } from '../../core/target.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { adminsOf } from '../lists/lists.ts';
import { giveBack, givenIdleChat, readSent } from './conversation.ts';
import { keysWork } from './key-header.ts';
import { quiet, type Sent, send, sendAgain } from './sending.ts';

/** Another admin of the organization of a chat than the one who uses it. It may be no user of the chat. */
export function anotherAdminOf(api: Api, { organizationId, admin }: Chat): Principal | undefined {
  return adminsOf(api, organizationId).find((one) => one !== admin);
}

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

/** The message, sent once in a run. It leases a chat, so call it before leasing one. */
export const givenFromAnother = shared(async (api: Api): Promise<FromAnother> => {
  const keys = await keysWork(api);
  const isShared = (one: Chat): boolean => anotherAdminOf(api, one) !== undefined;
  if (!api.session.chats.all.some(isShared)) throw new Blocked('needs a chat of an organization with two admins');
  const chat = await givenIdleChat(api, isShared);
  try {
    const caller = as(anotherAdminOf(api, chat) ?? chat.admin);
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

/** The answer to a message to the idle chat, and what showed the chat idle. */
export async function sendOnceIdle(
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
