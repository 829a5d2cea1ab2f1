import { must } from '../../engine/answer.ts';
import { type Answer, type Exchange, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import { erredChatsOf } from '../../engine/session/answers/broken-chats.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { giveBack, givenGroup, makeIdle } from '../../stage/chats/conversation.ts';
import { quiet, send } from '../../stage/chats/sending.ts';
import { mustNotFailWithoutKey } from './failing-without-key.ts';
import { mayRecur, mustBeAccidents, withTransientErrors } from '../shared/transient-errors.ts';
import { areAcceptedTogether, mostTogether } from '../messages/unusual-messages.ts';

/** A limit may refuse another chat each time; then so many refusals count. */
const mostTimes = 3;
/** The longest pause before chats that failed are used again, in milliseconds. */
const longestPauseMs = 30_000;

/**
 * Several idle chats must accept messages at the same instant, because a lock that is too wide may be held only for a moment. Refusals
 * may come from messages of other clients, so only a chat that is refused twice counts, or a refusal each time. Internal errors may be
 * accidents, so they count if they recur. Chats that failed while other checks sent messages are tried again.
 */
export async function mustAcceptTogether(api: Api): Promise<void> {
  await takeBackErred(api);
  await mustNotFailWithoutKey(api);
  if (areAcceptedTogether(api)) return;
  const chats = await givenGroup(api, mostTogether);
  const shown: Answer[] = [];
  const refused = new Set<Chat>();
  let twice: Chat | undefined;
  for (let time = 0; time < mostTimes && twice === undefined; time += 1) {
    const sent = await sendTogether(api, chats);
    const { answers } = sent;
    if (sent.erred.length > 0) return mustErrByChance(api, chats, sent);
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
  must(
    false,
    expectedOf(chats),
    twice === undefined ? `409 each of ${mostTimes} times` : '409 for one of them, twice',
    ...shown,
  );
}

/** Chats that failed while others were generating are used again once no response is under way. */
async function takeBackErred({ session }: Api): Promise<void> {
  const erred = erredChatsOf(session);
  if (erred.length === 0) return;
  await session.clock.sleep(Math.min(1000 * slowPromptWait(session), longestPauseMs));
  erred.forEach(session.chats.takeBack);
}

function expectedOf(chats: readonly Chat[]): string {
  return `2xx for messages to ${chats.length} idle chats at the same instant`;
}

type Together = {
  readonly answers: readonly Answer[];
  /** The internal errors, also of messages that were then sent again. */
  readonly erred: readonly Exchange[];
};

async function mustErrByChance(api: Api, chats: readonly Chat[], first: Together): Promise<void> {
  const rounds = [first.erred];
  for (let last = first; mayRecur(rounds); rounds.push(last.erred)) {
    // The others may fail until these responses have finished.
    for (const [place, chat] of chats.entries()) if (last.answers[place]?.status === 202) await makeIdle(api, chat);
    last = await sendTogether(api, chats);
  }
  mustBeAccidents(api, 'sendMessage', rounds, chats.length, expectedOf(chats), 'messages at the same instant');
}

async function sendTogether(api: Api, chats: readonly Chat[]): Promise<Together> {
  for (const chat of chats) await makeIdle(api, chat);
  for (const chat of chats) await quiet(api, chat);
  const message = { message: api.session.target.assistant.quickPrompt };
  const { made: answers, stumbled } = await withTransientErrors(api, () =>
    eachAtOnce(chats, (chat, gate) => send(api, chat, message, { gate })),
  );
  const last = answers.filter(isOwnInternalError).map(({ exchange }) => exchange);
  return { answers, erred: [...stumbled, ...last] };
}
