import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenSent, unlessRefused } from '../../stage/chats/conversation.ts';
import { loseTrack, quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenPace, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { givenThread, givenThreadChat, mustNotBranch, parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustNotBeDueToRefusal } from './due-to-refusal.ts';
import { mustNotEndRunning } from './ended-early.ts';
import { notConflict } from './must-be-conflict.ts';
import { twice } from './one-at-a-time.ts';
import { mustBeyondDoubt } from '../shared/only-with-cause.ts';
import { noteMistake, withRefusedKey } from '../shared/mistakes.ts';
import { mustBeAnother } from '../messages/same-messages.ts';

/** The next message is sent this many milliseconds later, at the usual pace, while the response is generating. */
const meanwhileMs = 300;

/** Where an answer shows the text of a message; an assistant may name a chat after its messages. */
const shownTexts = [
  ['data', 'userMessage', 'text'],
  ['data', 'chat', 'name'],
] as const;

/** A refused message is not answered later, and the next message does not have it as its parent. */
export async function mustLeaveNoTrace(api: Api): Promise<void> {
  const keys = await keysWork(api);
  const pace = await givenPace(api);
  const chat = await givenThreadChat(api);
  await twice(api, () => mustLeaveNoTraceIn(api, chat, pace, keys));
}

async function mustLeaveNoTraceIn(api: Api, chat: Chat, pace: Pace, keys: boolean): Promise<void> {
  const { clock, target } = api.session;
  const { quickPrompt, slowPrompt } = target.assistant;
  const { expectedParent } = await givenThread(api, chat);
  await quiet(api, chat);
  let key = '';
  // The next message has another text. An earlier run may have named the chat after its own.
  const refusedText = `${quickPrompt}\nThis message, ${api.freshKey()}, is refused.`;
  async function refuse(): Promise<readonly Answer[]> {
    await clock.sleep(meanwhile(pace, meanwhileMs));
    // Only a key may keep it from being queued, but a key may be required.
    const unkeyed = await send(api, chat, { message: slowPrompt, wait: 1, keyOf: () => null });
    const isRead = isSuccess(unkeyed) || unkeyed.status === 409;
    const slow = isRead ? unkeyed : await send(api, chat, { message: slowPrompt, wait: 1 });
    if (isSuccess(slow)) return [slow]; // Then the next one would only be accepted, or queued, too.
    return [slow, await send(api, chat, { message: refusedText, keyOf: (fresh) => (key = fresh) })];
  }
  const held = givenSent(api, chat, slowPrompt, { wait: slowPromptWait(api.session) });
  const [sent, refused] = await during(held, refuse());
  const [first] = refused;
  const judgeEnd = async () => {
    if (first?.status === 409) await mustNotEndRunning(api, chat, pace, sent.answer, refused);
  };
  if (refused.some(isSuccess)) {
    loseTrack(api, chat);
    await judgeEnd();
    throw new Blocked(unlessRefused(refused.find(isSuccess)));
  }
  const odd = refused.find(({ status }) => status !== 409);
  if (odd !== undefined) throw new Blocked(notConflict(odd));
  if (sent.answer.status !== 200) throw new Blocked('the response took longer than assistant.timeoutSeconds');
  const mustHideIt = (answer: Answer, expected: string): void => {
    const where = shownTexts.find((path) => stringAt(answer.json, ...path) === refusedText);
    const actual = `the text of the refused message in ${where?.join('.')}`;
    must(where === undefined, expected, actual, ...refused, sent.answer, answer);
  };
  mustHideIt(sent.answer, 'the answer to show the text of its own message');
  api.session.chats.markFinished(chat, sent.answer);
  await quiet(api, chat);
  const next = await send(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
  const evidence = [...refused, sent.answer, next];
  const mustHold = (holds: boolean, expected: string, actual: string): void =>
    mustBeyondDoubt(holds, expected, actual, evidence, () => mustNotBeDueToRefusal(api, chat, pace, refuse));
  mustHold(next.status !== 409, 'the chat idle after the response', summary(next));
  if (!isSuccess(next)) throw new Blocked(`the next message was refused: ${summary(next)}`);
  mustHideIt(next, 'the next message with its own text');
  const holds = expectedParent === undefined || parentIn(next, sent) === expectedParent;
  if (!holds) mustNotBranch(api, next, sent.answer);
  mustHold(holds, 'a parentId that names the last accepted message', 'another parentId');
  if (keys) await mustNotJoin(api, chat, sent, { key, text: refusedText });
  // At the end, because it sends messages of its own.
  await judgeEnd();
}

/** The specification does not say whether the key of a refused message may be reused; it must not give the running message. */
async function mustNotJoin(api: Api, chat: Chat, inTheWay: Sent, refused: Pick<Sent, 'key' | 'text'>): Promise<void> {
  await quiet(api, chat);
  const wait = quickPromptWait(api.session);
  const answer = await sendAgain(api, { chat, ...refused }, { wait });
  const given = isSuccess(answer) ? 'it can' : 'it cannot';
  api.session.observe('idempotency.after-conflict', `${given}: ${summary(answer)}`, answer.exchange);
  noteMistake(api, 'sendMessage', withRefusedKey, answer);
  mustBeAnother(inTheWay, answer, 'for the key of a message refused with 409');
  // From now on the key is that of an accepted message, which idempotency.after/at-last judges.
  if (isSuccess(answer)) await sendAgain(api, { chat, ...refused }, { wait });
}
