import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api, Caller } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Violation } from '../../engine/verdict.ts';
import { sendOnceIdle } from '../../stage/chats/another-admin.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { quiet, send, sendWhenFree } from '../../stage/chats/sending.ts';

/** The answer to a message of another admin than the one who uses the chat, which was busy. */
export type Denied = { readonly caller: Caller; readonly answer: Answer };

/** How often the busy chat must deny the other admin, each time after it accepted that admin's message when it was idle. */
const times = 3;

/** Whether the status may say that the caller is no user of the chat. The specification names none for that. */
export function mayDeny({ status }: Answer): boolean {
  return status >= 400 && status < 500 && ![409, 423, 429].includes(status);
}

/**
 * A busy chat denied a message of another admin. That admin may be no user of the chat: then the idle chat denies the message too. If the
 * idle chat accepts it, and the busy one denies it each time, then the response is the cause, and 409 is the answer.
 */
export async function mustNotDenyWhileBusy(api: Api, chat: Chat, { caller, answer: denied }: Denied): Promise<void> {
  const { slowPrompt, quickPrompt } = api.session.target.assistant;
  const evidence = [denied];
  for (let time = 0; time < times; time += 1) {
    await makeIdle(api, chat);
    const [accepted] = await sendOnceIdle(api, chat, caller, api.freshKey());
    if (!isSuccess(accepted)) return;
    await makeIdle(api, chat);
    await quiet(api, chat);
    const generating = await sendWhenFree(api, chat, { message: slowPrompt });
    const again = await send(api, chat, { message: quickPrompt }, { caller });
    const refused = await send(api, chat, { message: quickPrompt });
    if (generating.status !== 202 || !mayDeny(again) || refused.status !== 409) return;
    evidence.push(accepted, generating, again, refused);
  }
  throw new Violation(
    '409 while a response is generating',
    `${summary(denied)} to ${caller.name}, another admin, each of ${times} times, and 2xx whenever the chat is idle`,
    evidence.map(({ exchange }) => exchange),
  );
}
