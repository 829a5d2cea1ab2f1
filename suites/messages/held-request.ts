import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { loseTrack, quiet, send, sendWhenFree } from '../../stage/chats/sending.ts';
import { declaredMaximumWait, quickPromptWait, rememberLate } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustBeTheWait } from './must-hold.ts';

/**
 * The answer to a quick message with that wait. While it is held the chat is asked whether it takes another message: once
 * it does, the first response has finished, and its answer is due.
 */
export async function givenHeld(
  api: Api,
  chat: Chat,
  wait: number,
  allowanceMs: number,
  more = 2,
): Promise<{ readonly answer: Answer; readonly seconds: number }> {
  const { clock, target } = api.session;
  const seconds = Math.max(wait, quickPromptWait(api.session) > 10 ? declaredMaximumWait(api.session) : 0);
  const message = target.assistant.quickPrompt;
  let isAnswered = false;
  await quiet(api, chat);
  const held = sendWhenFree(api, chat, { message, wait: seconds }).finally(() => {
    isAnswered = true;
  });
  async function probe(): Promise<Answer | undefined> {
    for (let pauseMs = 500; ; pauseMs = Math.min(2000, pauseMs * 1.5)) {
      await clock.sleep(pauseMs);
      if (isAnswered) return undefined;
      const answer = await send(api, chat, { message });
      if (answer.status !== 409) return isSuccess(answer) ? answer : undefined;
    }
  }
  const [answer, accepted] = await during(held, probe());
  const wasFirst = answer.status === 409 || (accepted?.exchange.sentAt ?? Infinity) < answer.exchange.sentAt;
  if (more > 0 && accepted !== undefined && wasFirst) {
    // A 429 or network delay held it back, so the probe was first.
    loseTrack(api, chat);
    await makeIdle(api, chat);
    return givenHeld(api, chat, wait, allowanceMs, more - 1);
  }
  if (!isSuccess(answer)) await mustBeTheWait(api, chat, { message, wait: seconds }, answer);
  if (accepted === undefined) {
    if (answer.status !== 200)
      throw new Blocked(`the quick prompt takes longer than ${seconds} s: choose a quicker one`);
    return { answer, seconds };
  }
  loseTrack(api, chat);
  const dueAt = accepted.exchange.receivedAt + 3 * allowanceMs;
  const lateMs = answer.exchange.receivedAt - accepted.exchange.receivedAt;
  const isInTime = answer.exchange.receivedAt <= dueAt;
  if (!isInTime) rememberLate(api.session, answer.elapsedMs);
  must(
    isInTime,
    'the answer when the response is finished',
    `it came ${Math.round(lateMs)} ms after the chat took the next`,
    answer,
    accepted,
  );
  return { answer, seconds };
}
