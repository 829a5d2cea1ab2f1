import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenFinished } from '../../stage/chats/conversation.ts';
import { quiet, send, sendAgain } from '../../stage/chats/sending.ts';
import { mustNotAppearOnlyWith, pairs } from '../shared/only-with-cause.ts';

/**
 * For a chat that was busy after the repetition of a finished message: if only messages after such a repetition are refused, the
 * repetition is the cause, and not other traffic in the chat.
 */
export function mustNotBeDueToRepetition(api: Api, chat: Chat): Promise<void> {
  return mustNotAppearOnlyWith(
    api,
    async (isRepeated) => {
      const sent = await givenFinished(api, chat);
      await quiet(api, chat);
      const shown = isRepeated ? [sent.answer, await sendAgain(api, sent)] : [sent.answer];
      const next = await send(api, chat, { message: api.session.target.assistant.quickPrompt });
      return { appeared: next.status === 409, shown: [...shown, next] };
    },
    'the chat still idle after the repetition of a finished message',
    `409 after each of ${pairs} repetitions, and after none of ${pairs} messages that were not repeated`,
  );
}
