import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { quiet, send, sendWhenFree } from '../../stage/chats/sending.ts';

/** How often a message must fail, each time while the other chat is generating and never in between, to be no accident. */
const timesFailed = 3;

/**
 * A message failed inside while another chat was generating. If that happens each time, and the chat accepts the same message whenever the
 * other one is idle, then chats disturb each other. Otherwise blocked.
 */
export async function mustNotFailMeanwhile(api: Api, busy: Chat, free: Chat, failed: Answer): Promise<never> {
  const { slowPrompt, quickPrompt } = api.session.target.assistant;
  const evidence = [failed];
  for (let times = 1; ; times += 1) {
    await makeIdle(api, busy);
    const between = await sendWhenFree(api, free, { message: quickPrompt, wait: quickPromptWait(api.session) });
    if (!isSuccess(between)) throw new Blocked(`the other chat accepts no message: ${summary(between)}`);
    evidence.push(between);
    if (times === timesFailed) break;
    await makeIdle(api, free);
    await quiet(api, free);
    const generating = await sendWhenFree(api, busy, { message: slowPrompt });
    const again = await send(api, free, { message: quickPrompt });
    if (generating.status !== 202 || !isOwnInternalError(again))
      throw new Blocked(`the other chat failed once: ${summary(failed)}`);
    evidence.push(generating, again);
  }
  throw new Violation(
    '2xx while another chat is generating',
    `${summary(failed)} each time, and 2xx as soon as no other chat is generating`,
    evidence.map(({ exchange }) => exchange),
  );
}
