import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked } from '../../engine/verdict.ts';
import { giveBack, givenGroup, makeIdle } from '../../stage/chats/conversation.ts';
import { quiet, send } from '../../stage/chats/sending.ts';
import { mustNotFailWithoutKey } from './failing-without-key.ts';
import { areAcceptedTogether, mostTogether } from '../messages/unusual-messages.ts';

/** A limit may refuse another chat each time; then so many refusals count. */
const mostTimes = 3;

/**
 * Several idle chats must accept messages at the same instant, because a lock that is too wide may be held only for a moment. Refusals
 * may come from messages of other clients, so only a chat that is refused twice counts, or a refusal each time.
 */
export async function mustAcceptTogether(api: Api): Promise<void> {
  await mustNotFailWithoutKey(api);
  if (areAcceptedTogether(api)) return;
  const chats = await givenGroup(api, mostTogether);
  const shown: Answer[] = [];
  const refused = new Set<Chat>();
  let twice: Chat | undefined;
  for (let time = 0; time < mostTimes && twice === undefined; time += 1) {
    const answers = await sendTogether(api, chats);
    if (answers.every(isSuccess)) return;
    const conflicts = chats.filter((_chat, place) => answers[place]?.status === 409);
    if (conflicts.length === 0 || !answers.some(isSuccess))
      throw new Blocked(`a chat accepts no message: ${answers.map(summary).join(', ')}`);
    shown.push(...answers);
    twice = conflicts.find((chat) => refused.has(chat));
    for (const chat of conflicts) refused.add(chat);
  }
  // Other traffic is looked for only in the chats that are still leased.
  for (const chat of chats) if (chat !== twice && (twice !== undefined || !refused.has(chat))) giveBack(api, chat);
  const expected = `2xx for messages to ${chats.length} idle chats at the same instant`;
  must(
    false,
    expected,
    twice === undefined ? `409 each of ${mostTimes} times` : '409 for one of them, twice',
    ...shown,
  );
}

async function sendTogether(api: Api, chats: readonly Chat[]): Promise<readonly Answer[]> {
  for (const chat of chats) await makeIdle(api, chat);
  for (const chat of chats) await quiet(api, chat);
  const message = { message: api.session.target.assistant.quickPrompt };
  return eachAtOnce(chats, (chat, gate) => send(api, chat, message, { gate }));
}
