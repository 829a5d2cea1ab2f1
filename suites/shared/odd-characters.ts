import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { firstWait } from '../../engine/session/patience.ts';
import { shared } from '../../engine/fixture.ts';
import { lendChat } from '../../stage/chats/conversation.ts';
import { sendWhenFree } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';

/** A message that some stores cannot hold, and its answer. */
export type OddMessage = { readonly what: string; readonly message: string; readonly answer: Answer };

/** All but the last are valid Unicode; any treatment of the last is legal. */
const odd = [
  ['NUL', 'before\u0000after'],
  [
    'control characters and noncharacters',
    'form\ffeed, tab\vdown, back\bspace, escape\u001b[1m, delete\u007f, next\u0085line, carriage\rreturn, \ufffe \uffff',
  ],
  ['a byte order mark at the beginning', '\ufeffafter'],
  ['a slash at the beginning, as of a command', '/after all'],
  ['an unpaired surrogate', '\ud83d'],
] as const;

/**
 * Sends messages of characters that a deployment may refuse, each on its own, and records what
 * became of them.
 */
async function sendOddCharacters(api: Api, chat: Chat): Promise<readonly OddMessage[]> {
  const sent: OddMessage[] = [];
  for (const [what, message] of odd) {
    const answer = await sendWhenFree(api, chat, { message, wait: firstWait(api.session) });
    const text = stringAt(answer.json, 'data', 'userMessage', 'text');
    const fate = isSuccess(answer) ? (text === message ? 'kept' : 'accepted') : summary(answer);
    api.session.observe('messages.odd-characters', `${what}: ${fate}`, answer.exchange);
    sent.push({ what, message, answer });
  }
  return sent;
}

/** The odd messages, sent once in a run. */
export const givenOddMessages = shared((api: Api) => lendChat(api, (chat) => sendOddCharacters(api, chat)));
