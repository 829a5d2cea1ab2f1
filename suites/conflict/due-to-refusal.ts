import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { chatsOf } from '../../engine/session/seen-messages.ts';
import { quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import type { Pace } from '../../stage/chats/pace.ts';
import { quiet, send } from '../../stage/chats/sending.ts';
import { mustNotAppearOnlyWith, pairs, type Tried } from '../shared/only-with-cause.ts';

/** How often the chat is looked at until nothing that was refused before shows in it any more. */
const looks = 6;

/**
 * For a chat where something came after a response during which messages were refused: if only such responses are followed by something,
 * the refused messages are the cause, and not other traffic in the chat.
 */
export function mustNotBeDueToRefusal(
  api: Api,
  chat: Chat,
  pace: Pace,
  refuse: () => Promise<readonly Answer[]>,
): Promise<void> {
  return mustNotAppearOnlyWith(
    api,
    async (isDisturbed) =>
      (await isCalm(api, chat, pace)) ? afterResponse(api, chat, isDisturbed ? refuse : async () => []) : undefined,
    'the chat idle after the response, and no message between the response and the next one',
    `another message after each of ${pairs} responses during which messages were refused with 409, and after none of ${pairs} others`,
  );
}

/** Whether two messages follow each other directly. What was refused before may still be queued, and each 409 may add to that. */
async function isCalm(api: Api, chat: Chat, { responseMs }: Pace): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    const before = await sendQuick(api, chat);
    if (isSuccess(before)) {
      await quiet(api, chat);
      if (!hasMet(api, await sendQuick(api, chat))) return true;
    }
    await api.session.clock.sleep(responseMs);
  }
  return false;
}

/** A finished slow response, with what `refuse` sends meanwhile, and the next message; undefined if they show nothing. */
async function afterResponse(
  api: Api,
  chat: Chat,
  refuse: () => Promise<readonly Answer[]>,
): Promise<Tried | undefined> {
  await quiet(api, chat);
  const slow = { message: api.session.target.assistant.slowPrompt, wait: slowPromptWait(api.session) };
  const [finished, refused] = await during(send(api, chat, slow), refuse());
  if (finished.status !== 200 || refused.some(({ status }) => status !== 409)) return undefined;
  api.session.chats.markFinished(chat, finished);
  await quiet(api, chat);
  const next = await sendQuick(api, chat);
  return { appeared: hasMet(api, next), shown: [...refused, finished, next] };
}

function sendQuick(api: Api, chat: Chat): Promise<Answer> {
  const { quickPrompt: message } = api.session.target.assistant;
  return send(api, chat, { message, wait: quickPromptWait(api.session) });
}

/** Whether a message shows that another one came before it which no answer showed. */
function hasMet(api: Api, answer: Answer): boolean {
  const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId') ?? '';
  return answer.status === 409 || (isSuccess(answer) && parent !== '' && chatsOf(api.session, parent).size === 0);
}
