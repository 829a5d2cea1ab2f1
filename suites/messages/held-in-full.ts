import { must } from '../../engine/answer.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { tookWholeWait } from '../../engine/session/waits/choose-wait.ts';
import { waitIn } from '../../core/paths.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { heldIn } from '../../stage/chats/held-messages.ts';
import { givenHeld } from './held-request.ts';
import { shortHeldSeconds } from './short-wait.ts';

/** Waits that confirm that short ones are held in full, in seconds. */
const shortWaits = [5, 4, 3] as const;

/** If a short wait of the run seems to be held in full, others are tried. Nothing is sent if none does. */
export async function mustNotHoldShortInFull(api: Api): Promise<void> {
  await givenAccepted(api);
  const isSuspect = (answer: Answer): boolean =>
    answer.status === 200 && Number(waitIn(answer.exchange.request.path)) === shortHeldSeconds && tookWholeWait(answer);
  if (!heldIn(api.session).some(isSuspect)) return;
  const allowanceMs = await givenAllowanceMs(api);
  await mustEndEarlier(api, await givenIdleChat(api), shortWaits, allowanceMs);
}

/** Not each of several quick messages with these waits may be answered only when its wait is over. */
export async function mustEndEarlier(
  api: Api,
  chat: Chat,
  waits: readonly number[],
  allowanceMs: number,
): Promise<void> {
  const suspects: { readonly answer: Answer; readonly seconds: number }[] = [];
  for (const wait of waits) {
    const { answer, seconds } = await givenHeld(api, chat, wait, allowanceMs);
    // An answer that came just as the wait ended may have waited for that; a different wait shows whether it did.
    const lateMs = answer.elapsedMs - seconds * 1000;
    if (lateMs < -api.session.target.limits.toleranceMs || lateMs > allowanceMs) return;
    suspects.push({ answer, seconds });
  }
  // On a network that is as slow as a wait is long, an answer comes no earlier with a shorter wait.
  const sparedMs = 1000 * spreadOf(suspects.map(({ seconds }) => seconds));
  if (spreadOf(suspects.map(({ answer }) => answer.elapsedMs)) < sparedMs / 2) return;
  must(
    false,
    'answers as soon as the assistant finishes',
    'every answer came only at the end of its wait',
    ...suspects.map(({ answer }) => answer),
  );
}

function spreadOf(numbers: readonly number[]): number {
  return Math.max(...numbers) - Math.min(...numbers);
}
