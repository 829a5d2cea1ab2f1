import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';

/** The longest pause before chats that failed are used again, in milliseconds. */
const longestPauseMs = 30_000;

/** Chats that were given up because a message ended in an internal error. */
const failedIn = perRun(() => new Set<Chat>());

/** Gives the chat up. Other chats may have disturbed it. */
export function giveUpFailed(session: Session, chat: Chat, reason: string): void {
  failedIn(session).add(chat);
  session.chats.giveUp(chat, reason);
}

/** Lets checks use the chats that failed again once no response is under way, if fewer than `enough` others were never given up so. */
export async function takeBackFailed(session: Session, enough: number): Promise<void> {
  const failed = failedIn(session);
  if (failed.size === 0 || session.chats.all.length - failed.size >= enough) return;
  await session.clock.sleep(Math.min(1000 * slowPromptWait(session), longestPauseMs));
  failed.forEach(session.chats.takeBack);
  failed.clear();
}
