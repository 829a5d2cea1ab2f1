import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenSent, makeIdle } from '../../stage/chats/conversation.ts';
import { loseTrack, quiet, send } from '../../stage/chats/sending.ts';
import { meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';

/** When another message disturbs the response, in milliseconds after its request, at the usual pace. */
const disturbedAfterMs = 300;
/**
 * Rounds of one undisturbed and one disturbed response each: several, because response times vary. Of twelve random times, the
 * quickest six are the disturbed ones once in 924 cases.
 */
const rounds = 6;

/**
 * A single response that ends when another message arrives may be quick, or ended by that message. So responses to the slow
 * prompt are alternately undisturbed and disturbed: a violation if every undisturbed one outlasts its request and every
 * disturbed one ends, or if the undisturbed ones take longer by more than the tolerance. Otherwise returns.
 */
export async function mustNotEndRunning(
  api: Api,
  chat: Chat,
  pace: Pace,
  held: Answer,
  others: readonly Answer[],
): Promise<void> {
  if (!mayHaveEnded(api, held, others)) return;
  const isAccepted = others.slice(0, 1).some(isSuccess);
  const shown: Answer[] = [];
  let [leastAloneMs, mostDisturbedMs, allOutlast] = [Number.POSITIVE_INFINITY, 0, true];
  for (let round = 0; round < rounds; round += 1) {
    await becomeQuiet(api, chat);
    const alone = await sendSlow(api, chat, pace);
    await becomeQuiet(api, chat);
    const [disturbed, met] = await during(sendSlow(api, chat, pace), disturb(api, chat, pace));
    // The other message may have been accepted last.
    loseTrack(api, chat);
    if (met.slice(0, 1).some(isSuccess) !== isAccepted || !mayHaveEnded(api, disturbed, met)) return;
    leastAloneMs = Math.min(leastAloneMs, alone.elapsedMs);
    mostDisturbedMs = Math.max(mostDisturbedMs, disturbed.elapsedMs);
    allOutlast &&= isStillGenerating(api, alone, pace);
    if (!allOutlast && mostDisturbedMs >= leastAloneMs - api.session.target.limits.toleranceMs) return;
    shown.push(alone, ...met, disturbed);
  }
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const expected = `a response that runs for ${seconds(leastAloneMs)} or longer on its own to continue when another message arrives`;
  const said = isAccepted ? 'accepted' : 'refused';
  must(false, expected, `the other message is ${said} and the response ends, ${rounds} of ${rounds} times`, ...shown);
}

/** Makes the chat idle and waits until its last response can no longer keep it busy. */
export async function becomeQuiet(api: Api, chat: Chat): Promise<void> {
  await makeIdle(api, chat);
  await quiet(api, chat);
}

async function sendSlow(api: Api, chat: Chat, { holdSeconds }: Pace): Promise<Answer> {
  const { slowPrompt } = api.session.target.assistant;
  return (await givenSent(api, chat, slowPrompt, { wait: holdSeconds })).answer;
}

/** Another message with the shortest wait, and if it is refused, one without right after it: either may end a response. */
async function disturb(api: Api, chat: Chat, pace: Pace): Promise<readonly Answer[]> {
  const message = { message: api.session.target.assistant.quickPrompt };
  await api.session.clock.sleep(meanwhile(pace, disturbedAfterMs));
  const other = await send(api, chat, { ...message, wait: 1 });
  return other.status === 409 ? [other, await send(api, chat, message)] : [other];
}

function isStillGenerating({ session }: Api, { status, elapsedMs }: Answer, { holdSeconds }: Pace): boolean {
  return status === 202 && elapsedMs >= holdSeconds * 1000 - session.target.limits.toleranceMs;
}

/**
 * Whether the first other message may have ended the response: it was accepted, or the one right after its refusal was, or the
 * response finished right after the refusal.
 */
function mayHaveEnded({ session }: Api, { status, exchange }: Answer, [other, next]: readonly Answer[]): boolean {
  if (other?.status === 409 && next !== undefined && isSuccess(next)) return true;
  if (status !== 200 || other === undefined) return false;
  const laterMs = exchange.receivedAt - other.exchange.receivedAt;
  return isSuccess(other) || (other.status === 409 && laterMs <= session.target.limits.toleranceMs);
}
