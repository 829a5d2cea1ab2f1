import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { type BrokenChat, brokenChatsOf } from '../../engine/session/answers/broken-chats.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { Violation } from '../../engine/verdict.ts';
import { pausesForGoodMs } from '../shared/for-good.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { send } from '../../stage/chats/sending.ts';

/** Chats that are tried at most. */
const mostChats = 2;

type Tried = BrokenChat & { readonly again: readonly Answer[] };

/**
 * No chat may have accepted messages, and answer only internal errors from some moment on. A rare error passes, and so does an incident
 * that is shorter than half a minute, so a chat is broken only if it refuses several more messages.
 */
export async function mustAcceptAgain(api: Api): Promise<void> {
  const { clock, target } = api.session;
  let broken: readonly Tried[] = brokenChatsOf(api.session)
    .slice(0, mostChats)
    .map((one) => ({ ...one, again: [] }));
  if (broken.length === 0) return void (await givenAccepted(api));
  for (const pauseMs of pausesForGoodMs) {
    await clock.sleep(pauseMs);
    const still: Tried[] = [];
    for (const one of broken) {
      const answer = await send(api, one.chat, { message: target.assistant.quickPrompt });
      if (isOwnInternalError(answer)) still.push({ ...one, again: [...one.again, answer] });
    }
    broken = still;
    if (broken.length === 0) return;
  }
  const [first] = broken;
  if (first === undefined) return;
  const { accepted, erred, again } = first;
  const evidence = [accepted, erred, ...again];
  throw new Violation(
    'the next message accepted by a chat that accepted messages before',
    `${summary(again.at(-1) ?? erred)} to each of ${again.length + 1} messages`,
    evidence.map(({ exchange }) => exchange),
  );
}
