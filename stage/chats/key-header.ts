import type { Api } from '../../engine/api.ts';
import { keyHeaders } from '../../engine/session/key-headers.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { messageRoles } from '../../engine/session/seen-messages.ts';
import { givenFinished, givenGenerating, lendChat } from './conversation.ts';
import { quiet, type Sent, sendAgain } from './sending.ts';
import { shared } from '../../engine/fixture.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/**
 * Makes sure that an idempotency header is known. Blocked if none is declared and no usual name works. It may lease a chat,
 * so call it before leasing one.
 */
export const givenKeyHeader = shared(async (api: Api): Promise<string> => {
  const names = keyHeaders(api.session);
  const [declared, ...more] = names;
  const observed = names.length === 1 ? `${declared}, as declared` : `one of ${names.join(', ')}`;
  if (declared === undefined || more.length > 0) await mustKnowKeys(api);
  api.session.observe('idempotency.header', observed);
  return declared ?? '';
});

/** Messages that are repeated while their responses are generating, and how often: each of several nodes may know its own keys. */
const generating = { messages: 2, repetitions: 4 } as const;

/** A deployment may forget a key too early, or answer its repetition wrongly. It knows the header all the same, and other checks judge that. */
async function mustKnowKeys(api: Api): Promise<void> {
  await lendChat(api, async (chat) => {
    if (await isKnownWhenFinished(api, chat)) return;
    for (let count = 0; count < generating.messages; count += 1) {
      if (await isKnownWhileGenerating(api, chat)) return;
    }
    throw new Blocked('no usual idempotency header works: declare its name as choices.idempotencyHeader');
  });
}

async function isKnownWhileGenerating(api: Api, chat: Chat): Promise<boolean> {
  const sent = await givenGenerating(api, chat);
  for (let count = 0; count < generating.repetitions; count += 1) {
    const answer = await sendAgain(api, sent);
    if (isSuccess(answer)) return !isNewMessage(answer, sent);
  }
  return false;
}

/** Whether an idle chat does not take the repetition of its last message for a new message. */
async function isKnownWhenFinished(api: Api, chat: Chat): Promise<boolean> {
  const sent = await givenFinished(api, chat);
  let answer = await sendAgain(api, sent);
  if (answer.status === 409) {
    await quiet(api, chat);
    answer = await sendAgain(api, sent);
  }
  if (isSuccess(answer)) return !isNewMessage(answer, sent);
  if (answer.status < 500 || isOwnInternalError(answer)) return true;
  throw new Blocked(`a message to chat ${chat.chatId} could not be repeated: ${answer.problem ?? summary(answer)}`);
}

function isNewMessage({ json }: Answer, { userMessageId, assistantMessageId }: Sent): boolean {
  const ids = messageRoles.map((role) => stringAt(json, 'data', role, 'id'));
  return ids.every((id) => id !== undefined && id !== userMessageId && id !== assistantMessageId);
}

/** Whether idempotency keys work, for checks that see more with them. */
export async function keysWork(api: Api): Promise<boolean> {
  return (await unlessBlocked(() => givenKeyHeader(api))) !== undefined;
}
