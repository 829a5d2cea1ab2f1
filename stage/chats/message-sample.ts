import type { Api } from '../../engine/api.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isShownFinished, lendChat } from './conversation.ts';
import { send, sendWhenFree } from './sending.ts';
import { shared } from '../../engine/fixture.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The answers to a few messages in one chat, sent one after another; made once in a run and read by many checks. */
export type MessageSample = {
  readonly chat: Chat;
  /** The quick prompt, with a wait of `quickWait` seconds. */
  readonly quick: Answer;
  readonly quickWait: number;
  /** The slow prompt without `wait`, once the chat accepted it. */
  readonly slow: Answer;
  /** Whether the chat accepted it at the first try. */
  readonly slowAtOnce: boolean;
  /** Another message right after it. */
  readonly second: Answer;
  /** The quick prompt again with a `wait`, once the chat accepted it. */
  readonly last: Answer;
};

/** A pause between two requests that only a rate limit explains, in milliseconds. */
const longPauseMs = 1000;

/** The sample. Blocked if the chat accepts no message at all. */
export const givenSample = shared((api: Api): Promise<MessageSample> =>
  lendChat(api, async (chat) => {
    const { quickPrompt, slowPrompt } = api.session.target.assistant;
    const quickWait = quickPromptWait(api.session);
    const quick = await sendWhenFree(api, chat, { message: quickPrompt, wait: quickWait });
    if (!isSuccess(quick)) throw new Blocked(`chat ${chat.chatId} accepts no message: ${summary(quick)}`);
    // Over the same connection, which may keep the `wait`.
    const atOnce = await send(api, chat, { message: slowPrompt, follows: true });
    let slow = atOnce.status === 409 ? await sendWhenFree(api, chat, { message: slowPrompt }) : atOnce;
    let second = await send(api, chat, { message: slowPrompt });
    if (isSuccess(slow) && isSuccess(second) && second.exchange.sentAt > slow.exchange.receivedAt + longPauseMs) {
      // The suite waited for a rate limit, so the response may be over. Try again in the new window.
      slow = second;
      second = await send(api, chat, { message: slowPrompt });
    }
    // Questions to a busy chat may prolong its response.
    await isShownFinished(api, chat);
    const last = await sendWhenFree(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
    return { chat, quick, quickWait, slow, slowAtOnce: atOnce.status !== 409, second, last };
  }),
);

/** The answers of the sample that accept a message, oldest first. */
export async function givenAccepted(api: Api): Promise<readonly Answer[]> {
  const { quick, slow, second, last } = await givenSample(api);
  return [quick, slow, second, last].filter(isSuccess);
}
