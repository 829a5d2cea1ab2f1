import { must } from '../../engine/answer.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import type { Latest } from '../../stage/chats/latest-message.ts';
import { quiet, send, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';

/** A text stops its response if that takes this many times as long as the response to a similar text, and so many milliseconds. */
const timesLonger = 10;
const leastMs = 15_000;
/** A response to the similar text that takes longer shows nothing, in milliseconds. */
const mostSimilarMs = 2000;

/**
 * The text of a message whose response does not end is sent in another chat, after a similar one without signs and emojis. If the response
 * to the similar one ends soon, and both chats with the text itself stay busy for far longer, the signs stop the response.
 */
export async function mustEndElsewhere(api: Api, stuck: Latest, evidence: readonly Answer[]): Promise<void> {
  const { clock, target } = api.session;
  const { text, written } = stuck;
  const { quickPrompt, slowPrompt } = target.assistant;
  const similar = withoutSigns(text);
  if (similar === text || text === quickPrompt || text === slowPrompt) return;
  const chat = await givenIdleChat(api, (one) => one !== stuck.chat);
  await quiet(api, chat);
  const finished = await sendWhenFree(api, chat, { message: similar, wait: quickPromptWait(api.session) });
  if (finished.status !== 200 || finished.elapsedMs > mostSimilarMs) return;
  await quiet(api, chat);
  let key = '';
  const remember = (fresh: string): string => (key = fresh);
  const same = await send(api, chat, { message: text, ...written, keyOf: remember });
  if (same.status !== 202) return;
  await clock.sleep(Math.max(leastMs, timesLonger * finished.elapsedMs));
  const again = await sendAgain(api, { chat, key, text, written });
  if (again.status !== 202) return;
  const next = [await send(api, chat, { message: quickPrompt }), await send(api, stuck.chat, { message: quickPrompt })];
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  must(
    next.some(({ status }) => status !== 409),
    `a response that ends, as the one to a text of the same length without signs did within ${seconds(finished.elapsedMs)}`,
    `409 and 202 still after ${seconds(clock.now() - same.exchange.sentAt)}, in two chats with the same text`,
    ...evidence,
    finished,
    same,
    again,
    ...next,
  );
}

/** The text with a letter for each sign. */
function withoutSigns(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\s]/gu, 'x');
}
