import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { makeIdle } from '../../stage/chats/conversation.ts';
import { type Draft, quiet, send } from '../../stage/chats/sending.ts';
import { at, stringAt } from '../../core/json.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { describe } from '../../core/text.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenThread, mustNotBranch, parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';

const promisedKey = 'the idempotency key of the refused message still free';

/** What shows that a message was carried out. */
export type ShownBy = 'conflict' | 'parent';

/**
 * The requests of `intrude` to an idle chat must leave no trace. The chat must still accept a message at once. If messages have a
 * parentId, the next one must name the last accepted message. If the intruders had an idempotency key, it must still be free:
 * `keyToReuse` gives it, or undefined not to try that. Blocked if no message could show a trace. Returns what would have shown one,
 * and `intrude` gets it: `conflict` only while the assistant would have been busy.
 */
export async function mustLeaveChatAlone(
  api: Api,
  chat: Chat,
  intrude: (shownBy: ShownBy) => Promise<readonly Answer[]>,
  keyToReuse: (shownBy: ShownBy) => string | undefined = () => undefined,
): Promise<ShownBy> {
  const { last, expectedParent } = await givenThread(api, chat);
  await quiet(api, chat);
  const shownBy: ShownBy = expectedParent === undefined ? 'conflict' : 'parent';
  const key = keyToReuse(shownBy);
  const intruders = await intrude(shownBy);
  const { quickPrompt, slowPrompt } = api.session.target.assistant;
  const draft = { message: quickPrompt, wait: quickPromptWait(api.session) };
  const keyed = { ...draft, keyOf: (fresh: string) => key ?? fresh };
  const next =
    expectedParent === undefined
      ? await send(api, chat, { message: slowPrompt })
      : await (key === undefined ? send(api, chat, draft) : sendWithKey(api, chat, keyed, intruders));
  mustBeIdle(next, intruders);
  if (key !== undefined) {
    const first = expectedParent === undefined ? await sendOnceIdle(api, chat, keyed, next) : next;
    if (first !== undefined) await mustBeFirst(api, chat, first, intruders);
  }
  if (!isSuccess(next)) throw new Blocked(`chat ${chat.chatId} accepted no message afterwards: ${summary(next)}`);
  if (expectedParent === undefined && next.status === 200) {
    throw new Blocked('messages have no parentId and the assistant answers at once, so no answer could show an effect');
  }
  const parent = at(next.json, 'data', 'userMessage', 'parentId');
  const holds = expectedParent === undefined || parentIn(next, last) === expectedParent;
  if (!holds) mustNotBranch(api, next, last.answer);
  must(holds, 'a parentId that names the last accepted message', `parentId ${describe(parent)}`, ...intruders, next);
  return shownBy;
}

/** The refused messages must not keep the chat busy. A key that is taken may hide that, so another key is tried, too. */
function mustBeIdle(next: Answer, before: readonly Answer[]): void {
  must(next.status !== 409, 'the chat still idle after the refused message', summary(next), ...before, next);
}

/** How often the key of refused messages is sent while a limit refuses it. */
const keyTries = 3;

/** The answer to that message. A limit must not refuse its key, the key of the `intruders`, while it lets another one pass. */
async function sendWithKey(api: Api, chat: Chat, draft: Draft, intruders: readonly Answer[]): Promise<Answer> {
  const sendOnce = () => send(api, chat, draft, { tries: keyTries });
  const answer = await unlessBlocked(sendOnce);
  if (answer !== undefined) return answer;
  const { keyOf: _keyOf, ...other } = draft;
  const passed = await send(api, chat, other);
  const again = await unlessBlocked(sendOnce);
  const actual = `${summary(passed)} for another key, and 429 for this one before and after that`;
  must(again !== undefined || !isSuccess(passed), promisedKey, actual, ...intruders, passed);
  throw new Blocked('other requests used up the same quota: run the suite again');
}

/** Sends after the response to an accepted message; undefined if the chat does not become idle. */
async function sendOnceIdle(api: Api, chat: Chat, draft: Draft, accepted: Answer): Promise<Answer | undefined> {
  if (!isSuccess(accepted)) return undefined;
  const answer = await unlessBlocked(async () => {
    // A 409 may use the key up.
    await makeIdle(api, chat);
    await quiet(api, chat);
    return send(api, chat, draft);
  });
  return answer?.status === 409 ? undefined : answer;
}

/** The quick prompt with the idempotency key of refused slow prompts is a new message. */
async function mustBeFirst(api: Api, chat: Chat, first: Answer, intruders: readonly Answer[]): Promise<void> {
  const { quickPrompt, slowPrompt } = api.session.target.assistant;
  if (!isSuccess(first)) {
    const other = await send(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
    mustBeIdle(other, [...intruders, first]);
    must(!isSuccess(other), promisedKey, summary(first), ...intruders, first);
  }
  const text = stringAt(first.json, 'data', 'userMessage', 'text');
  const isOwn = text !== slowPrompt || slowPrompt === quickPrompt;
  must(isOwn, 'a message of its own for the key of a refused one', 'the refused one', ...intruders, first);
}
