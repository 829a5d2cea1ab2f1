import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { declaredMaximumWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { givenPair, pairOf } from '../../stage/chats/conversation.ts';
import { mayLoseResponses } from '../../stage/chats/lost-responses.ts';
import { meanwhile } from '../../stage/chats/pace.ts';
import { send } from '../../stage/chats/sending.ts';
import { mustNotAppearOnlyWith, pairs, type Tried } from '../shared/only-with-cause.ts';
import { becomeQuiet } from './ended-early.ts';

/** When the other chat gets its message, in milliseconds after the request, at the usual pace. */
const besideMs = 300;
/** The request is held for this many times as long as a response takes, and the chat is tried after this many times. */
const timesLonger = { held: 1.4, tried: 1.25 } as const;

/**
 * If a response outlasted a long wait, although its chat then accepted another message at once: a message to another chat may have ended
 * that response unseen. Then its chat accepts messages while the request for it is still held.
 */
export async function mustNotBeLostBeside(api: Api): Promise<void> {
  if (mayLoseResponses(api.session)) await mustNotLoseResponse(api);
}

/** The same without a suspicion. */
export async function mustNotLoseResponse(api: Api): Promise<void> {
  const [chat, other] = await givenPair(api, pairOf(api));
  await becomeQuiet(api, chat);
  const alone = await sendSlow(api, chat, slowPromptWait(api.session));
  if (alone.status !== 200) return;
  await mustNotAppearOnlyWith(
    api,
    (isBeside) => holdFor(api, chat, alone.elapsedMs, isBeside ? other : undefined),
    '409 while a response is generating, also after a message to another chat',
    `2xx while the request for the response is held, after each of ${pairs} messages to another chat, and never without one`,
  );
}

/** Holds a slow message for longer than its response takes, perhaps with a message to another chat, and tries the chat before the end. */
async function holdFor(api: Api, chat: Chat, aloneMs: number, other: Chat | undefined): Promise<Tried> {
  const { clock, target } = api.session;
  const quick = { message: target.assistant.quickPrompt };
  for (const one of [other, chat]) if (one !== undefined) await becomeQuiet(api, one);
  const wait = Math.min(declaredMaximumWait(api.session), 1 + Math.ceil((timesLonger.held * aloneMs) / 1000));
  const startedAt = clock.now();
  let isOver = false;
  const held = sendSlow(api, chat, wait).finally(() => {
    isOver = true;
  });
  async function disturb(): Promise<{ readonly beside: readonly Answer[]; readonly next: readonly Answer[] }> {
    await clock.sleep(meanwhile({ responseMs: aloneMs }, besideMs));
    const beside = other === undefined ? [] : [await send(api, other, quick)];
    await clock.sleep(startedAt + timesLonger.tried * aloneMs - clock.now());
    return { beside, next: isOver ? [] : [await send(api, chat, quick)] };
  }
  const [answer, { beside, next }] = await during(held, disturb());
  const isAccepted = next.some((one) => isSuccess(one) && one.exchange.receivedAt < answer.exchange.receivedAt);
  return { appeared: answer.status === 202 && isAccepted, shown: [...beside, ...next, answer] };
}

function sendSlow(api: Api, chat: Chat, wait: number): Promise<Answer> {
  return send(api, chat, { message: api.session.target.assistant.slowPrompt, wait });
}
