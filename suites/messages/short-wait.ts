import type { Api } from '../../engine/api.ts';
import { durationsOf } from '../../stage/chats/latest-message.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';

/** A wait that is long enough for a quick response, in seconds, and how quick one surely is, in milliseconds. */
export const shortHeldSeconds = 4;
const quickMs = 2000;

/** A `wait` that is far longer than a quick response, but shorter than usual, where quick responses are known to be quick. */
export function shortHeldWait({ session }: Api): number {
  const { count, mostMs } = durationsOf(session, session.target.assistant.quickPrompt);
  const wait = quickPromptWait(session);
  return count > 0 && mostMs < quickMs ? Math.min(wait, shortHeldSeconds) : wait;
}
