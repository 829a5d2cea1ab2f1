import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { declaredMaximumWait } from '../../engine/session/waits/choose-wait.ts';
import { givenSent } from '../../stage/chats/conversation.ts';
import { type Draft, send } from '../../stage/chats/sending.ts';
import { becomeQuiet } from './ended-early.ts';

/** A response counts as far prolonged from this multiple of the time of an undisturbed one. */
export const timesLonger = 2.5;
/** Messages sent during the time of an undisturbed response. */
const disturbances = 8;
/** The most messages sent during a disturbed response. */
const mostDisturbances = Math.ceil(disturbances * timesLonger);

/** The chat whose responses are disturbed, and how their messages are sent: without a key if that is accepted, because a key may carry the lock. */
export type Place = { readonly chat: Chat; readonly draft: Draft };

/** What a repetition shows of a response, if anything: it may get the original answer. */
export type Shown = 'finished' | 'generating' | undefined;

export async function sendSlow(api: Api, chat: Chat, wait: number, draft: Draft = {}): Promise<Answer> {
  const { slowPrompt } = api.session.target.assistant;
  return (await givenSent(api, chat, slowPrompt, { ...draft, wait })).answer;
}

type Disturbed = {
  readonly disturbed: Answer;
  /** What was refused with 409 meanwhile. */
  readonly refused: readonly Answer[];
  /** The first other answer, which ended the disturbance. */
  readonly odd: Answer | undefined;
  /** What `look` said once a message was accepted. */
  readonly shown: Shown;
};

/** A response during which other messages are sent, until it has taken too long. */
export async function disturb(
  api: Api,
  { chat, draft }: Place,
  aloneMs: number,
  look: () => Promise<Shown> = async () => undefined,
): Promise<Disturbed> {
  const { clock, target } = api.session;
  const refused: Answer[] = [];
  let odd: Answer | undefined;
  let shown: Shown;
  let isOver = false;
  await becomeQuiet(api, chat);
  // Long enough for a response that starts over with the last disturbance.
  const wait = Math.min(
    declaredMaximumWait(api.session),
    Math.ceil(((mostDisturbances / disturbances + 1.5) * aloneMs) / 1000),
  );
  const held = sendSlow(api, chat, wait, draft).finally(() => {
    isOver = true;
  });
  async function interfere(): Promise<void> {
    for (let count = 0; count < mostDisturbances; count += 1) {
      await clock.sleep(aloneMs / disturbances);
      if (isOver || odd !== undefined) return;
      const answer = await send(api, chat, { message: target.assistant.quickPrompt });
      if (answer.status === 409) refused.push(answer);
      else if (!isOver) odd = answer;
      if (odd !== undefined && isSuccess(odd)) shown = await look();
    }
  }
  const [disturbed] = await during(held, interfere());
  return { disturbed, refused, odd, shown };
}
