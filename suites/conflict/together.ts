import { must } from '../../engine/answer.ts';
import { type Answer, answerOf, type Exchange, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { Blocked } from '../../engine/verdict.ts';
import { giveBack, givenGroup, makeIdle } from '../../stage/chats/conversation.ts';
import { takeBackFailed } from '../../stage/chats/failed-chats.ts';
import { quiet, send } from '../../stage/chats/sending.ts';
import { mustNotFailWithoutKey } from './failing-without-key.ts';
import { mayRecur, mustBeAccidents, withTransientErrors } from '../shared/transient-errors.ts';
import { areAcceptedTogether, mostTogether } from '../messages/unusual-messages.ts';

/** A limit may refuse another chat each time; then so many refusals count. */
const mostTimes = 3;
/** How often it is tried whether internal errors among the messages recur. */
const mostErrors = 2;

/**
 * Several idle chats must accept messages at the same instant, because a lock that is too wide may be held only for a moment. Refusals
 * may come from messages of other clients, so only a chat that is refused twice counts, or a refusal each time. Internal errors may be
 * accidents, so they count if they recur. Chats that failed while other checks sent messages are tried again.
 */
export async function mustAcceptTogether(api: Api): Promise<void> {
  await takeBackFailed(api.session, mostTogether);
  await mustNotFailWithoutKey(api);
  if (areAcceptedTogether(api)) return;
  const chats = await givenGroup(api, mostTogether);
  const shown: Answer[] = [];
  const refused = new Set<Chat>();
  let twice: Chat | undefined;
  let errors = 0;
  for (let time = 0; time < mostTimes && twice === undefined;) {
    const sent = await sendTogether(api, chats);
    const { answers, erred } = sent;
    if (erred.length > 0 && errors < mostErrors) {
      errors += 1;
      await mustErrByChance(api, chats, sent);
      continue;
    }
    time += 1;
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

function expectedOf(chats: readonly Chat[]): string {
  return `2xx for messages to ${chats.length} idle chats at the same instant`;
}

type Together = {
  readonly answers: readonly Answer[];
  /** An internal error of each chat that had any, also for messages that were then sent again. */
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
  const all = [...stumbled.flatMap((exchange) => answerOf(exchange) ?? []), ...answers].filter(isOwnInternalError);
  const ofEach = new Map(all.map(({ exchange }) => [exchange.request.path, exchange]));
  return { answers, erred: [...ofEach.values()] };
}
