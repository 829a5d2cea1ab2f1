import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { sendWhenFree } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';

/** A message that some stores cannot hold, and its answer. */
export type OddMessage = { readonly message: string; readonly answer: Answer };

/** All but the last are valid Unicode; any treatment of the last is legal. */
const odd = [
  ['NUL', 'before\u0000after'],
  [
    'control characters and noncharacters',
    'form\ffeed, tab\vdown, back\bspace, escape\u001b[1m, delete\u007f, next\u0085line, carriage\rreturn, \ufffe \uffff',
  ],
  ['a byte order mark at the beginning', '\ufeffafter'],
  ['a slash at the beginning, as of a command', '/after all'],
  ['an unpaired surrogate', 'one\ud83dtwo'],
] as const;

/**
 * Sends messages of characters that a deployment may refuse, each on its own, and records what
 * became of them. Gives those that were accepted and have to come back as they were sent.
 */
export async function sendOddCharacters(api: Api, chat: Chat): Promise<readonly OddMessage[]> {
  const accepted: OddMessage[] = [];
  for (const [what, message] of odd) {
    const answer = await sendWhenFree(api, chat, { message });
    const text = stringAt(answer.json, 'data', 'userMessage', 'text');
    const fate = isSuccess(answer) ? (text === message ? 'kept' : 'accepted') : summary(answer);
    api.session.observe('messages.odd-characters', `${what}: ${fate}`, answer.exchange);
    if (isSuccess(answer) && message.isWellFormed()) accepted.push({ message, answer });
  }
  return accepted;
}
