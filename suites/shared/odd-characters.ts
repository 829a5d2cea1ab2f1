import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { shared } from '../../engine/fixture.ts';
import { lendChat } from '../../stage/chats/conversation.ts';
import { sendWhenFree } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';

/** A message that some stores cannot hold, and its answer. */
export type OddMessage = { readonly what: string; readonly message: string; readonly answer: Answer };

/** A way in which a message is odd, and such a message. */
type Odd = readonly [what: string, message: string];

/** Valid Unicode that is odd wherever it is in a message; the first one stands at the beginning, and the last one at the end. */
const anywhere: readonly Odd[] = [
  ['a byte order mark at the beginning', '\ufeffafter'],
  [
    'control characters and noncharacters',
    'form\ffeed, tab\vdown, back\bspace, escape\u001b[1m, delete\u007f, next\u0085line, carriage\rreturn, \ufffe \uffff',
  ],
  [
    'more control characters and replacements',
    'bell\u0007, file\u001c group\u001d record\u001e unit\u001f, euro\u0080, quote\u0092, object\ufffc, unknown\ufffd',
  ],
  ['NUL', 'before\u0000after\u0000'],
];

/** Odd on its own; any treatment of it is legal. */
const alone: readonly Odd[] = [['an unpaired surrogate', '\ud83d']];

/**
 * Sends messages of characters that a deployment may refuse, and records what became of them. One message shows for several
 * that they are kept; otherwise each is sent on its own.
 */
async function sendOddCharacters(api: Api, chat: Chat): Promise<readonly OddMessage[]> {
  const all = anywhere.map(([, message]) => message).join(' ');
  const first = await sendOdd(api, chat, all);
  const together = first.answer.status === 409 ? await sendOdd(api, chat, all) : first;
  const sent: OddMessage[] = [];
  if (fateOf(together) === 'kept') {
    for (const [what] of anywhere) observeFate(api, what, together);
    sent.push({ ...together, what: anywhere.map(([what]) => what).join(', ') });
  }
  for (const [what, message] of sent.length === 0 ? [...anywhere, ...alone] : alone) {
    const one = await sendOdd(api, chat, message);
    observeFate(api, what, one);
    sent.push({ ...one, what });
  }
  return sent;
}

async function sendOdd(api: Api, chat: Chat, message: string): Promise<Omit<OddMessage, 'what'>> {
  return { message, answer: await sendWhenFree(api, chat, { message, wait: quickPromptWait(api.session) }) };
}

function observeFate(api: Api, what: string, odd: Omit<OddMessage, 'what'>): void {
  api.session.observe('messages.odd-characters', `${what}: ${fateOf(odd)}`, odd.answer.exchange);
}

function fateOf({ message, answer }: Omit<OddMessage, 'what'>): string {
  if (!isSuccess(answer)) return summary(answer);
  return stringAt(answer.json, 'data', 'userMessage', 'text') === message ? 'kept' : 'accepted';
}

/** The odd messages, sent once in a run. */
export const givenOddMessages = shared((api: Api) => lendChat(api, (chat) => sendOddCharacters(api, chat)));
