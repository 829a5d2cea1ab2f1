import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import type { Unheld } from '../../engine/session/answers/unheld-messages.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { giveBack, givenChat, givenPair, makeIdle, pairOf } from '../../stage/chats/conversation.ts';
import { latencyNowMs } from '../../stage/chats/latency.ts';
import { maxCharacters } from '../../stage/chats/long-messages.ts';
import { type Draft, quiet, sendWhenFree, unkeyed } from '../../stage/chats/sending.ts';

/** What else may matter for a message: its length, an earlier request of its connection, or another message that is held. */
export const traits = ['long', 'after another', 'beside another'] as const;
export type Trait = (typeof traits)[number];

/** Messages of fewer characters are not long. */
const longCharacters = 1000;

/** A held message is sent so much earlier than the one beside it, in milliseconds. */
const besideMs = 200;

export function hasTrait({ text, isBeside, answer }: Unheld, trait: Trait): boolean {
  if (trait === 'long') return typeof text === 'string' && text.length >= longCharacters;
  return trait === 'beside another' ? isBeside : answer.exchange.request.isRepeatable === true;
}

/** A message that was sent like an earlier one, and the latencies before and after it. */
export type Alike = { readonly text: string; readonly answer: Answer; readonly latenciesMs: readonly number[] };

/**
 * Sends a slow message without `wait` like an earlier one: to its chat and entry point, with or without a key, and with that trait.
 * Undefined if it was refused, or sent again with its key. Between two messages a request is sent that is never held.
 */
export async function sendLike(
  api: Api,
  { chatId, isKeyed, text: before, answer: { exchange } }: Unheld,
  trait: Trait | undefined,
): Promise<Alike | undefined> {
  const { baseUrl } = exchange.request;
  if (baseUrl !== undefined) api.stayAt(baseUrl);
  const { chat, other } = await givenChats(api, chatId, trait === 'beside another');
  const chats = other === undefined ? [chat] : [chat, other];
  try {
    for (const one of chats) await makeIdle(api, one);
    for (const one of chats) await quiet(api, one);
    const earlierMs = await latencyNowMs(api);
    const { slowPrompt } = api.session.target.assistant;
    const length = Math.min(maxCharacters, String(before).length);
    const text = trait === 'long' ? slowPrompt.padEnd(length, ' a') : slowPrompt;
    const draft: Draft = { message: text, ...(isKeyed ? {} : unkeyed) };
    const answer = await (trait === 'after another'
      ? followingHeld(api, chat, draft)
      : besideHeld(api, other, () => sendWhenFree(api, chat, draft)));
    if (!isSuccess(answer) || (isKeyed && answer.exchange.repeats === true)) return undefined;
    return { text, answer, latenciesMs: [earlierMs, await latencyNowMs(api)] };
  } finally {
    for (const one of chats) giveBack(api, one);
  }
}

async function givenChats(api: Api, chatId: string, needsAnother: boolean): Promise<{ chat: Chat; other?: Chat }> {
  if (!needsAnother) return { chat: await givenChat(api, (one) => one.chatId === chatId) };
  const isNear = pairOf(api);
  const { all } = api.session.chats;
  const hasNear = all.some((one) => one.chatId === chatId && all.some((other) => other !== one && isNear(one, other)));
  const isWanted = (one: Chat, other: Chat): boolean => one.chatId === chatId && (!hasNear || isNear(one, other));
  const [chat, other] = await givenPair(api, isWanted);
  return { chat, other };
}

/** Sends a message right after the answer to one with `wait`, over its connection. */
async function followingHeld(api: Api, chat: Chat, draft: Draft): Promise<Answer> {
  const { quickPrompt } = api.session.target.assistant;
  await sendWhenFree(api, chat, { message: quickPrompt, wait: slowPromptWait(api.session), follows: true });
  await quiet(api, chat);
  return sendWhenFree(api, chat, { ...draft, follows: true });
}

/** Sends a message while one to the other chat is held, if there is one. */
async function besideHeld(api: Api, other: Chat | undefined, send: () => Promise<Answer>): Promise<Answer> {
  if (other === undefined) return send();
  const message = api.session.target.assistant.slowPrompt;
  const soon = async (): Promise<Answer> => {
    await api.session.clock.sleep(besideMs);
    return send();
  };
  const [, answer] = await during(sendWhenFree(api, other, { message, wait: slowPromptWait(api.session) }), soon());
  return answer;
}
