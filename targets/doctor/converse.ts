import { Api } from '../../engine/api.ts';
import { keyHeaders } from '../../engine/session/key-headers.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenFinished, lendChat, readSent, settle } from '../../stage/chats/conversation.ts';
import { send, type Sent, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How long the slow prompt keeps a chat busy. */
export type Busyness =
  | { readonly kind: 'busy'; readonly ms: number }
  | { readonly kind: 'too-fast' }
  | { readonly kind: 'unclear'; readonly reason: string };

export type Conversation =
  | {
      readonly kind: 'untried';
      readonly reason: string;
      /** Whether the deployment refused a message. */
      readonly isRefused: boolean;
    }
  | {
      readonly kind: 'tried';
      readonly chat: Chat;
      /** How long the answer to the quick prompt took; undefined if it took too long to wait for. */
      readonly quickMs: number | undefined;
      /** The header that makes a repeated message return the original; undefined if no usual header does. */
      readonly keyHeader: string | undefined;
      readonly slow: Busyness;
    };

/**
 * Sends a few messages to one chat, if the target file allows messages: a quick one, its repetition with each possible key
 * header, and a slow one. Never rejects.
 */
export async function converse(api: Api): Promise<Conversation> {
  const { allow } = api.session.target;
  if (!allow.has('messages'))
    return { kind: 'untried', reason: 'not allowed: add messages to allow', isRefused: false };
  try {
    return await lendChat(api, async (chat) => {
      const first = await givenFinished(api, chat);
      const { status, elapsedMs } = first.answer;
      const quickMs = status === 200 ? elapsedMs : undefined;
      const keyHeader = (await findKeyHeader(api, first)) ?? (await findOtherHeader(api, chat));
      return { kind: 'tried', chat, quickMs, keyHeader, slow: await timeSlow(api, chat) };
    });
  } catch (error) {
    return { kind: 'untried', reason: reasonOf(error), isRefused: isRefused(api.exchanges.at(-1)) };
  }
}

/** A busy chat and a rate limit are no reason to correct the target file. */
function isRefused(last: Exchange | undefined): boolean {
  const status = last?.operation === 'sendMessage' ? answerOf(last)?.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;
}

/** The first message had the key in every possible header. The header that alone makes a repetition work is the right one. */
async function findKeyHeader(api: Api, first: Sent): Promise<string | undefined> {
  for (const header of keyHeaders(api.session)) {
    const again = readSent(first.chat, first.key, first.text, await sendAgain(under(api, header), first));
    if (again.userMessageId === first.userMessageId) return header;
    await settle(api, first.chat);
  }
  return undefined;
}

/** If the declared header does not work, a usual one may. */
async function findOtherHeader(api: Api, chat: Chat): Promise<string | undefined> {
  if (api.session.target.idempotencyHeader === undefined) return undefined;
  const any = under(api, undefined);
  return findKeyHeader(any, await givenFinished(any, chat));
}

/** The same session, with keys in that header, or in all usual ones. */
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
    if (slow.status !== 202) return { kind: 'unclear', reason: `its status is ${slow.status}` };
    const next = await sendWhenFree(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
    const ms = next.exchange.sentAt - slow.exchange.sentAt;
    if (isSuccess(next)) return ms < tooFastMs ? { kind: 'too-fast' } : { kind: 'busy', ms };
    return { kind: 'unclear', reason: `the chat was busy for more than ${Math.round(ms / 1000)} s` };
  } catch (error) {
    return { kind: 'unclear', reason: reasonOf(error) };
  }
}

/** No check can observe a chat that is busy for less. */
const tooFastMs = 1000;

function reasonOf(error: unknown): string {
  if (error instanceof Blocked || error instanceof TransportError) return error.message;
  throw error;
}
