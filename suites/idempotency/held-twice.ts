import { must } from '../../engine/answer.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { givenIdleChat, readSent, tooFast } from '../../stage/chats/conversation.ts';
import { quiet, send, sendAgain } from '../../stage/chats/sending.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { givenPace, meanwhile } from '../../stage/chats/pace.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { isSame } from '../messages/same-messages.ts';

/** A message is repeated after this many milliseconds at the usual pace, so that both requests wait for one response. */
const meanwhileMs = 300;

/** A message and its repetition wait for one response: when it finishes, both must be answered. */
export async function mustAnswerBothHeld(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const allowanceMs = await givenAllowanceMs(api);
  const pace = await givenPace(api);
  const chat = await givenIdleChat(api);
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
  const sent = readSent(chat, key, text, first);
  if (!isSame(sent, again))
    throw new Blocked(`the repetition of a message sent with wait was answered ${summary(again)}`);
  const [earlier, later] = byReceipt(first, again);
  if (earlier.status !== 200) throw new Blocked('no response finished while a message and its repetition were waiting');
  // A request answered after the response had finished was not waiting for it.
  if (earlier.exchange.receivedAt < later.exchange.sentAt) throw new Blocked(tooFast);
  const lateMs = Math.round(later.exchange.receivedAt - earlier.exchange.receivedAt);
  const promised = 'an answer to every held request when the response is finished';
  must(lateMs <= 3 * allowanceMs, promised, `${later.status} ${lateMs} ms after the other one`, earlier, later);
}

function byReceipt(one: Answer, other: Answer): readonly [Answer, Answer] {
  return one.exchange.receivedAt <= other.exchange.receivedAt ? [one, other] : [other, one];
}
