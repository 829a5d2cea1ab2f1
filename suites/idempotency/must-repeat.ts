import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { readSent } from '../../stage/chats/conversation.ts';
import { oldestIn } from '../../stage/chats/latest-message.ts';
import { type Sent, sendAgain } from '../../stage/chats/sending.ts';
import { isSame, mustBeSame } from '../messages/same-messages.ts';

/**
 * Repetitions of one request: several, because each may reach a different process. Which program of a caller sends it means nothing, and
 * the names of headers have no case.
 */
const repetitions = [{}, { isOtherClient: true }, { headerNames: 'capitals' }] as const;

/** Each repetition of the message must show it. Returns the answer to the last one. */
export async function mustRepeat(api: Api, sent: Sent, when: string): Promise<Answer> {
  const answers = await repeated(api, sent);
  for (const answer of answers) mustBeSame(sent, answer, when);
  return answers.at(-1) ?? sent.answer;
}

/** The answers to some repetitions of the message, `most` of them, up to the first that does not show it. */
export async function repeated(api: Api, sent: Sent, most: number = repetitions.length): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const options of repetitions.slice(0, most)) {
    const answer = await sendAgain(api, sent, {}, options);
    answers.push(answer);
    if (!isSame(sent, answer)) break;
  }
  return answers;
}

/** The first message of the chat that accepted the most must still be known by its key. */
export async function mustRepeatOldest(api: Api): Promise<void> {
  const oldest = oldestIn(api.session);
  if (oldest?.answer === undefined) return;
  const { chat, caller, key, text, written, answer } = oldest;
  const first = { ...readSent(chat, key, text, answer), written, caller };
  mustBeSame(first, await sendAgain(api, first), 'at the end of the run, after many other messages');
}
