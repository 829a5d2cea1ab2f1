import type { Api } from '../../engine/api.ts';
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
