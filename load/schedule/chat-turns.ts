import type { Principal, Target } from '../../core/target.ts';
import type { Outcome } from '../measure/outcome.ts';

/** A chat that may be written to, with an admin of its organization. */
export type OpenChat = { readonly organizationId: string; readonly chatId: string; readonly admin: Principal };

/** Chooses the chat for the next message. A chat answers one message at a time; otherwise a load would measure refusals. */
export type ChatTurns = {
  /** A chat in which no response is known to be generating; undefined when every chat is busy. */
  readonly take: () => OpenChat | undefined;
  /** Returns a chat, for use at once or after a rest in milliseconds if it may still be generating. */
  readonly giveBack: (chat: OpenChat, restMs: number) => void;
};

export function createChatTurns(chats: readonly OpenChat[], now: () => number): ChatTurns {
  const idle = [...chats];
  const resting: { readonly chat: OpenChat; readonly until: number }[] = [];

  function take(): OpenChat | undefined {
    const at = now();
    for (let index = resting.length - 1; index >= 0; index -= 1) {
      const rest = resting[index];
      if (rest === undefined || rest.until > at) continue;
      resting.splice(index, 1);
      idle.push(rest.chat);
    }
    return idle.shift();
  }

  function giveBack(chat: OpenChat, restMs: number): void {
    if (restMs > 0) resting.push({ chat, until: now() + restMs });
    else idle.push(chat);
  }

  return { take, giveBack };
}

/** How long a chat rests after a 409. After a 202 it rests for as long as the target file allows a response to take. */
const conflictRestMs = 1000;

/** How long a chat may still be generating after a message ended like this, in milliseconds. */
export function restAfter(outcome: Outcome | 'unsent', { assistant }: Pick<Target, 'assistant'>): number {
  const isOver = typeof outcome === 'number' ? outcome !== 202 && outcome !== 409 : outcome === 'unsent';
  if (isOver) return 0;
  return outcome === 409 ? conflictRestMs : assistant.timeoutSeconds * 1000;
}

/** Every chat that the target file declares and that one of its principals may write to. */
export function openChats({ organizations, principals }: Target): readonly OpenChat[] {
  return organizations.flatMap(({ id, chats }) => {
    const admin = principals.find(({ adminOf }) => adminOf.includes(id));
    return admin === undefined ? [] : chats.map((chatId) => ({ organizationId: id, chatId, admin }));
  });
}
