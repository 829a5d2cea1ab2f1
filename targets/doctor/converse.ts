import { Api, keyHeaders } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import {
  givenFinished,
  lendChat,
  readSent,
  send,
  type Sent,
  sendAgain,
  sendWhenFree,
  settle,
} from '../../stage/chats/conversation.ts';
import { isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { firstWait } from '../../engine/session/patience.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Which header carries idempotency keys, as far as one message sent twice can tell. */
export type KeyHeader =
  { readonly kind: 'works'; readonly header: string } | { readonly kind: 'none'; readonly tried: readonly string[] };

/** How long the slow prompt keeps a chat busy. */
export type Busyness =
  | { readonly kind: 'busy'; readonly ms: number }
  | { readonly kind: 'too-fast' }
  | { readonly kind: 'unclear'; readonly reason: string };

/** What a conversation in one chat showed. */
export type Conversation =
  | { readonly kind: 'untried'; readonly reason: string }
  | {
      readonly kind: 'tried';
      readonly chat: Chat;
      /** How long the answer to the quick prompt took; undefined where it took longer than could be waited. */
      readonly quickMs: number | undefined;
      /** The header under which a message that is sent again is known; undefined where no usual one is. */
      readonly keyHeader: string | undefined;
      readonly slow: Busyness;
    };

/**
 * Sends a few messages to one chat, if the target file allows messages: a quick one, the same again under each header that
 * may carry the key, and a slow one. Never rejects.
 */
export async function converse(api: Api): Promise<Conversation> {
  const { allow } = api.session.target;
  if (!allow.has('messages')) return { kind: 'untried', reason: 'not allowed: add messages to allow' };
  try {
    return await lendChat(api, async (chat) => {
      const first = await givenFinished(api, chat);
      const { status, elapsedMs } = first.answer;
      const quickMs = status === 200 ? elapsedMs : undefined;
      const keyHeader = (await findKeyHeader(api, first)) ?? (await findOtherHeader(api, chat));
      return { kind: 'tried', chat, quickMs, keyHeader, slow: await timeSlow(api, chat) };
    });
  } catch (error) {
    return { kind: 'untried', reason: reasonOf(error) };
  }
}

/** The first message went out under every header in question: the one that alone makes it known again is the header. */
async function findKeyHeader(api: Api, first: Sent): Promise<string | undefined> {
  for (const header of keyHeaders(api.session)) {
    const again = readSent(first.chat, first.key, first.text, await sendAgain(under(api, header), first));
    if (again.userMessageId === first.userMessageId) return header;
    await settle(api, first.chat);
  }
  return undefined;
}

/** Where the declared header does not work, a usual one may. */
async function findOtherHeader(api: Api, chat: Chat): Promise<string | undefined> {
  if (api.session.target.idempotencyHeader === undefined) return undefined;
  const any = under(api, undefined);
  return findKeyHeader(any, await givenFinished(any, chat));
}

/** The same run, sending its keys under that header, or under all usual ones. */
function under({ session }: Api, header: string | undefined): Api {
  const { idempotencyHeader: _declared, ...target } = session.target;
  const changed = header === undefined ? target : { ...target, idempotencyHeader: header };
  return new Api({ ...session, target: changed }, `doctor under ${header ?? 'all'}`);
}

async function timeSlow(api: Api, chat: Chat): Promise<Busyness> {
  const { quickPrompt, slowPrompt } = api.session.target.assistant;
  try {
    const slow = await send(api, chat, { message: slowPrompt });
    if (slow.status === 200) return { kind: 'too-fast' };
    if (slow.status !== 202) return { kind: 'unclear', reason: `it was answered ${slow.status}` };
    const next = await sendWhenFree(api, chat, { message: quickPrompt, wait: firstWait(api.session) });
    const ms = next.exchange.sentAt - slow.exchange.sentAt;
    if (isSuccess(next)) return ms < tooFastMs ? { kind: 'too-fast' } : { kind: 'busy', ms };
    return { kind: 'unclear', reason: `the chat was busy for more than ${Math.round(ms / 1000)} s` };
  } catch (error) {
    return { kind: 'unclear', reason: reasonOf(error) };
  }
}

/** A chat that is busy for less shows no check that it is. */
const tooFastMs = 1000;

function reasonOf(error: unknown): string {
  if (error instanceof Blocked || error instanceof TransportError) return error.message;
  throw error;
}
