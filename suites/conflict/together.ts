import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenGroup, makeIdle } from '../../stage/chats/conversation.ts';
import { quiet, send } from '../../stage/chats/sending.ts';
import { areAcceptedTogether, mostTogether } from '../messages/unusual-messages.ts';

/**
 * Several idle chats must accept messages at the same instant, because a lock that is too wide may be held only for a moment. One
 * refusal may come from another client, so only a second one counts.
 */
export async function mustAcceptTogether(api: Api): Promise<void> {
  if (areAcceptedTogether(api)) return;
  const chats = await givenGroup(api, mostTogether);
  const refused: Answer[] = [];
  for (let time = 0; time < 2; time += 1) {
    const answers = await sendTogether(api, chats);
    if (answers.every(isSuccess)) return;
    const conflict = answers.find(({ status }) => status === 409);
    if (conflict === undefined || !answers.some(isSuccess))
      throw new Blocked(`a chat accepts no message: ${answers.map(summary).join(', ')}`);
    refused.push(...answers);
  }
  must(
    false,
    `2xx for messages to ${chats.length} idle chats at the same instant`,
    '409 for one of them, twice',
    ...refused,
  );
}

async function sendTogether(api: Api, chats: readonly Chat[]): Promise<readonly Answer[]> {
  for (const chat of chats) await makeIdle(api, chat);
  for (const chat of chats) await quiet(api, chat);
  const message = { message: api.session.target.assistant.quickPrompt };
  return eachAtOnce(chats, (chat, gate) => send(api, chat, message, { gate }));
}
