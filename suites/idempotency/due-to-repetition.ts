import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Certain } from '../../engine/verdict.ts';
import { givenFinished } from '../../stage/chats/conversation.ts';
import { quiet, send, sendAgain } from '../../stage/chats/sending.ts';

/** How often a message after a repetition is compared with one that follows none. Other traffic seldom keeps to that. */
const pairs = 4;

/**
 * For a chat that was busy after the repetition of a finished message: tries in turn a message that follows a finished one, and one that
 * follows its repetition. If only the latter are refused, and each time, the repetition is the cause, and not other traffic in the chat.
 */
export async function mustNotBeDueToRepetition(api: Api, chat: Chat): Promise<void> {
  const evidence: Answer[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [, usual] = await nextAfter(api, chat, { isRepeated: false });
    if (usual.status === 409) return;
    const [before, afterwards] = await nextAfter(api, chat, { isRepeated: true });
    if (afterwards.status !== 409) return;
    evidence.push(...before, afterwards);
  }
  throw new Certain(
    'the chat still idle after the repetition of a finished message',
    `409 after each of ${pairs} repetitions, and after none of ${pairs} messages that were not repeated`,
    evidence.map(({ exchange }) => exchange),
  );
}

/** A finished message, perhaps with its repetition, and the next message. */
async function nextAfter(
  api: Api,
  chat: Chat,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<readonly [readonly Answer[], Answer]> {
  const sent = await givenFinished(api, chat);
  await quiet(api, chat);
  const before = [sent.answer];
  if (isRepeated) before.push(await sendAgain(api, sent));
  return [before, await send(api, chat, { message: api.session.target.assistant.quickPrompt })];
}
