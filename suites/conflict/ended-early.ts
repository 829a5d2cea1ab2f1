import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenSent, makeIdle, quiet, send } from '../../stage/chats/conversation.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';

/** How long an undisturbed response must be generating, in seconds. */
const heldSeconds = 3;
/** When another message disturbs the response, in milliseconds after its request. */
const disturbedAfterMs = 300;
/** Rounds of one undisturbed and one disturbed response each: several, because response times vary. */
const rounds = 4;

/**
 * A single response that ends when another message arrives may be quick, or ended by that message. So responses to the slow
 * prompt are alternately undisturbed and disturbed: a violation if every undisturbed one continues and every disturbed one
 * ends. Otherwise returns.
 */
export async function mustNotEndRunning(api: Api, chat: Chat, held: Answer, other: Answer): Promise<void> {
  if (!mayHaveEnded(api, held, other)) return;
  const shown: Answer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await becomeQuiet(api, chat);
    const alone = await sendSlow(api, chat);
    if (!isStillGenerating(api, alone)) return;
    await becomeQuiet(api, chat);
    const [disturbed, again] = await during(sendSlow(api, chat), disturb(api, chat));
    if (isSuccess(again) !== isSuccess(other) || !mayHaveEnded(api, disturbed, again)) return;
    shown.push(alone, again, disturbed);
  }
  const expected = `a response that runs longer than ${heldSeconds} s on its own to continue when another message arrives`;
  const said = isSuccess(other) ? 'accepted' : 'refused';
  must(false, expected, `the other message is ${said} and the response ends, ${rounds} of ${rounds} times`, ...shown);
}

/** Makes the chat idle and waits until its last response can no longer keep it busy. */
export async function becomeQuiet(api: Api, chat: Chat): Promise<void> {
  await makeIdle(api, chat);
  await quiet(api, chat);
}

async function sendSlow(api: Api, chat: Chat): Promise<Answer> {
  const { slowPrompt } = api.session.target.assistant;
  return (await givenSent(api, chat, slowPrompt, { wait: heldSeconds })).answer;
}

async function disturb(api: Api, chat: Chat): Promise<Answer> {
  await api.session.clock.sleep(disturbedAfterMs);
  return send(api, chat, { message: api.session.target.assistant.quickPrompt });
}

function isStillGenerating({ session }: Api, { status, elapsedMs }: Answer): boolean {
  return status === 202 && elapsedMs >= heldSeconds * 1000 - session.target.limits.toleranceMs;
}

/** Whether the other message may have ended the response: it was accepted, or the response finished right after the refusal. */
function mayHaveEnded({ session }: Api, { status, exchange }: Answer, other: Answer): boolean {
  if (status !== 200) return false;
  const laterMs = exchange.receivedAt - other.exchange.receivedAt;
  return isSuccess(other) || (other.status === 409 && laterMs <= session.target.limits.toleranceMs);
}
