import { must, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { givenIdleChat, readSent, settle, tooFast } from '../../stage/chats/conversation.ts';
import { quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { TransportError } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import { givenKeyHeader, keysWork } from '../../stage/chats/key-header.ts';
import { chatsOf } from '../../engine/session/seen-messages.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { rememberLeft } from '../../stage/chats/latest-message.ts';
import { givenPace, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { describe } from '../../core/text.ts';
import { givenThread, givenThreadChat, parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How long the client stays connected at the usual pace, in milliseconds, in addition to two round trips. */
const staysMs = 400;

/** How much later the next request follows, in milliseconds at the usual pace: a server may notice late that the client left. */
const againAfterMs = 500;

/** How often the repetition must end in an internal error to be no accident. */
const timesFailed = 3;

/** What a time is at least longer than the tolerance, in milliseconds. */
const shortMs = 50;

/** A message whose client disconnected before the answer. */
type Lost = Pick<Sent, 'chat' | 'key' | 'text' | 'wait'>;

/**
 * Keys exist for lost answers: the client disconnects while its request waits, and sends it again. It must get the message
 * that it sent first. The repetition may be refused as busy only while the response is generating.
 */
export async function mustRepeatLost(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const pace = await givenPace(api);
  const chat = await givenThreadChat(api);
  const { last: before, expectedParent } = await givenThread(api, chat);
  if (before.answer.status !== 200) throw new Blocked('the response took longer than assistant.timeoutSeconds');
  await quiet(api, chat);
  const lost = await sendAndLeave(api, chat, pace);
  await api.session.clock.sleep(meanwhile(pace, againAfterMs));
  const when = 'for the key of a message whose client went away before the answer';
  let again = await sendAgain(api, lost);
  if (isOwnInternalError(again)) again = await mustNotFailForGood(api, lost, again, when);
  let between: Answer | undefined;
  if (again.status === 409) {
    await settle(api, chat);
    between = api.session.chats.standing(chat).finished;
    again = await sendAgain(api, lost);
  }
  // A gateway that cuts off waiting requests shows nothing about keys.
  if (again.status >= 500) throw new Blocked(`the repetition was answered ${summary(again)}`);
  mustSucceed(again, when);
  for (const answer of between === undefined ? [again] : [between, again]) {
    const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId') ?? '';
    const isHidden = expectedParent !== undefined && parent !== '' && !chatsOf(api.session, parent).has(chat.chatId);
    const actual = `another one, ${describe(parent)}, which no answer showed`;
    must(!isHidden, `one message ${when}`, actual, before.answer, answer, again);
  }
}

/** The error that the lost request ended in may be stored as its answer: then every repetition fails, and a new message does not. */
async function mustNotFailForGood(api: Api, lost: Lost, failed: Answer, when: string): Promise<Answer> {
  const failures = [failed];
  while (failures.length < timesFailed) {
    await api.session.clock.sleep(againAfterMs);
    const again = await sendAgain(api, lost);
    if (!isOwnInternalError(again)) return again;
    failures.push(again);
  }
  const another = await send(api, lost.chat, { message: api.session.target.assistant.quickPrompt });
  const isKeys = isSuccess(another) || another.status === 409;
  must(!isKeys, `one message ${when}`, `${summary(failed)} each of ${failures.length} times`, ...failures, another);
  return failed;
}

/** A response that continues without its client keeps the chat busy. Whether it continues is the deployment's choice. */
export async function mustStayBusyAlone(api: Api): Promise<void> {
  if (!(await keysWork(api)))
    throw new Blocked('the deployment accepts no idempotency key, so a running response cannot be observed');
  const pace = await givenPace(api);
  const chat = await givenIdleChat(api);
  await quiet(api, chat);
  const lost = await sendAndLeave(api, chat, pace);
  const next = await sendNextTo(api, chat, pace);
  if (next.status === 409) return api.session.observe('messages.client-gone', 'it goes on', next.exchange);
  if (!isSuccess(next)) throw new Blocked(`the next message was refused: ${summary(next)}`);
  const generating = await sendAgain(api, lost, { wait: undefined });
  // Longer than the time by which an answer may report the end of the response late.
  const { toleranceMs } = api.session.target.limits;
  await api.session.clock.sleep(Math.max(toleranceMs + shortMs, meanwhile(pace, 2 * toleranceMs)));
  const still = await sendAgain(api, lost, { wait: undefined });
  const finished = await sendAgain(api, lost);
  const isShown = generating.status === 202 && still.status === 202 && finished.status === 200;
  // The accepted message has it as its parent, so it was stored before.
  const isBehind = isShown && parentIn(next, readSent(chat, lost.key, lost.text, still)) !== undefined;
  const expected = '409 while a response is generating after its client disconnected';
  must(!isBehind, expected, summary(next), next, generating, still, finished);
  api.session.observe('messages.client-gone', 'it ends, as far as can be seen', next.exchange);
}

/** The answer to the next message, or to another one a little later if that was refused as busy. */
async function sendNextTo(api: Api, chat: Chat, pace: Pace): Promise<Answer> {
  const message = { message: api.session.target.assistant.quickPrompt };
  const atOnce = await send(api, chat, message);
  if (atOnce.status !== 409) return atOnce;
  await api.session.clock.sleep(meanwhile(pace, againAfterMs));
  return send(api, chat, message);
}

/** Sends the slow prompt with the longest wait, and disconnects before the answer. */
async function sendAndLeave(api: Api, chat: Chat, pace: Pace): Promise<Lost> {
  const wayMs = (await givenAllowanceMs(api)) - api.session.target.limits.toleranceMs;
  const { slowPrompt: text } = api.session.target.assistant;
  const wait = slowPromptWait(api.session);
  const key = api.freshKey();
  const draft = { message: text, wait, leavesAfterMs: meanwhile(pace, staysMs) + 2 * wayMs, keyOf: () => key };
  let answer: Answer;
  try {
    // The missing answer is not a failure of the deployment.
    answer = await send(api, chat, draft, { judged: false });
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error;
    rememberLeft(api.session, chat, key);
    return { chat, key, text, wait };
  }
  throw new Blocked(isSuccess(answer) ? tooFast : `the message was refused: ${summary(answer)}`);
}
