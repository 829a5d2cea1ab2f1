import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { shared } from '../../engine/fixture.ts';
import { giveBack, givenIdleChat, readSent, tooFast } from '../../stage/chats/conversation.ts';
import { quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { givenPace, meanwhile } from '../../stage/chats/pace.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { isSame, mustBeSame } from '../messages/same-messages.ts';

/** A message is repeated after this many milliseconds at the usual pace, so that both requests wait for one response. */
const meanwhileMs = 300;

/** A message with a wait, and its repetition, which was sent while the message was held. */
type HeldTwice = { readonly sent: Sent; readonly again: Answer };

/** Sent once in a run. It leases a chat, so call it before leasing one. */
const givenHeldTwice = shared(sendTwice);

/** Those that checks share, or at a further try of a check those of its own. */
function heldTwice(api: Api): Promise<HeldTwice> {
  return api.attempt > 1 ? sendTwice(api) : givenHeldTwice(api);
}

async function sendTwice(api: Api): Promise<HeldTwice> {
  await givenKeyHeader(api);
  const pace = await givenPace(api);
  const chat = await givenIdleChat(api);
  try {
    await quiet(api, chat);
    const { slowPrompt: text } = api.session.target.assistant;
    // Long enough for the response, even if earlier requests were held for their whole wait.
    const wait = Math.max(slowPromptWait(api.session), Math.min(30, Math.ceil((2 * pace.responseMs) / 1000) + 3));
    const key = api.freshKey();
    const repeat = async (): Promise<Answer> => {
      await api.session.clock.sleep(meanwhile(pace, meanwhileMs));
      return sendAgain(api, { chat, key, text }, { wait });
    };
    const [first, again] = await during(send(api, chat, { message: text, wait, keyOf: () => key }), repeat());
    return { sent: readSent(chat, key, text, first), again };
  } finally {
    giveBack(api, chat);
  }
}

/** When the response finishes, both requests must be answered. */
export async function mustAnswerBothHeld(api: Api): Promise<void> {
  const allowanceMs = await givenAllowanceMs(api);
  const { sent, again } = await heldTwice(api);
  if (!isSame(sent, again))
    throw new Blocked(`the repetition of a message sent with wait was answered ${summary(again)}`);
  const [earlier, later] = byReceipt(sent.answer, again);
  if (earlier.status !== 200) throw new Blocked('no response finished while a message and its repetition were waiting');
  // A request answered after the response had finished was not waiting for it.
  if (earlier.exchange.receivedAt < later.exchange.sentAt) throw new Blocked(tooFast);
  const lateMs = Math.round(later.exchange.receivedAt - earlier.exchange.receivedAt);
  const promised = 'an answer to every held request when the response is finished';
  must(lateMs <= 3 * allowanceMs, promised, `${later.status} ${lateMs} ms after the other one`, earlier, later);
}

/** A response is generating while its request is held, so the repetition must show its messages: a key has no other condition. */
export async function mustRepeatHeld(api: Api): Promise<void> {
  const { sent, again } = await heldTwice(api);
  if (sent.answer.exchange.receivedAt < again.exchange.sentAt) throw new Blocked(tooFast);
  if (!isSuccess(again) && again.status !== 409)
    throw new Blocked(`the repetition of a message sent with wait was answered ${summary(again)}`);
  mustBeSame(sent, again, 'while the first request is held');
}

function byReceipt(one: Answer, other: Answer): readonly [Answer, Answer] {
  return one.exchange.receivedAt <= other.exchange.receivedAt ? [one, other] : [other, one];
}
