import type { Api } from '../../engine/api.ts';
import { readSent } from '../../stage/chats/conversation.ts';
import { oldestIn } from '../../stage/chats/latest-message.ts';
import { type Sent, sendAgain } from '../../stage/chats/sending.ts';
import { mustBeSame } from '../messages/same-messages.ts';

/** Repetitions of one request: several, because each may reach a different process. */
const repetitions = 3;

/** Each repetition of the message must show it. */
export async function mustRepeat(api: Api, sent: Sent, when: string): Promise<void> {
  for (let count = 1; count < repetitions; count += 1) mustBeSame(sent, await sendAgain(api, sent), when);
  const inCapitals = await sendAgain(api, sent, {}, { headerNames: 'capitals' });
  mustBeSame(sent, inCapitals, `${when}, with the names of headers in capitals`);
}

/** The first message of the chat that accepted the most must still be known by its key. */
export async function mustRepeatOldest(api: Api): Promise<void> {
  const oldest = oldestIn(api.session);
  if (oldest?.answer === undefined) return;
  const { chat, caller, key, text, answer } = oldest;
  const first = { ...readSent(chat, key, text, answer), caller };
  mustBeSame(first, await sendAgain(api, first), 'at the end of the run, after many other messages');
}
