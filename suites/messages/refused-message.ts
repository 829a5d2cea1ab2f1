import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { NotSent } from '../../engine/session/unanswered/breaker.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenChat } from '../../stage/chats/conversation.ts';
import { type Draft, send, sendWhenFree } from '../../stage/chats/sending.ts';
import { latestIn } from '../../stage/chats/latest-message.ts';
import { TransportError } from '../../core/http.ts';
import type { AnswerPromise } from '../../promises/judgement.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';

/** An invalid message and its description. */
export type Wrong = readonly [what: string, draft: Draft];

/** An idle chat must refuse all of them and then accept the valid twin. */
export async function mustRefuseAll(api: Api, promise: AnswerPromise, wrongs: readonly Wrong[]): Promise<void> {
  const chat = await givenChat(api);
  for (const wrong of wrongs) await mustRefuse(api, chat, promise, wrong);
  await givenAccepting(api, chat);
}

/** The idle chat must refuse it. */
export async function mustRefuse(api: Api, chat: Chat, promise: AnswerPromise, wrong: Wrong): Promise<void> {
  const answer = await refusalOf(api, chat, wrong);
  mustKeep(promise, answer, answer);
}

/** The refusals of an idle chat that one check got and others judge too, by what was wrong with the message. */
const refusedIn = perRun(() => new Map<string, Answer>());

/** Remembers the refusal for {@link refusalOf}. */
export function noteRefusal(api: Api, wrong: Wrong, answer: Answer): void {
  observeRefusal(api, wrong, answer);
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 409;
  if (isRefused) refusedIn(api.session).set(nameOf(wrong), answer);
}

/** Other code may read messages with `wait`. */
function nameOf([what, { wait }]: Wrong): string {
  return `${what}, ${wait === undefined ? 'without' : 'with'} wait`;
}

/** The answer of the idle chat, or of another one before, to an invalid message. Blocked if the chat is busy. */
export async function refusalOf(api: Api, chat: Chat, wrong: Wrong): Promise<Answer> {
  const [what] = wrong;
  const known = refusedIn(api.session).get(nameOf(wrong));
  if (known !== undefined && api.attempt === 1) return known;
  const answer = await unlessHeld(api, chat, wrong);
  observeRefusal(api, wrong, answer);
  if (answer.status === 409) throw new Blocked(`the chat is busy: ${what} was answered 409`);
  return answer;
}

/**
 * An invalid wait may be held until the client times out instead of being refused, while a valid wait is answered. One answer may
 * also be lost on the way.
 */
async function unlessHeld(api: Api, chat: Chat, [what, draft]: Wrong): Promise<Answer> {
  const ask = (): Promise<Answer> => sendWhenFree(api, chat, draft);
  try {
    return await ask();
  } catch (error) {
    if (!isTimeout(error) || draft.wait === undefined) throw error;
    await send(api, chat, { ...draft, wait: 1 });
  }
  try {
    return await ask();
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new Violation(`a refusal of ${what}`, `${error.message}, twice; with wait=1 there is an answer`);
  }
}

function isTimeout(error: unknown): error is TransportError {
  return error instanceof TransportError && error.failure === 'timeout' && !(error instanceof NotSent);
}

export function observeRefusal(api: Api, [what, { wait }]: Wrong, answer: Answer): void {
  const isWaitWrong = wait !== undefined && wait !== quickPromptWait(api.session);
  const point = isWaitWrong ? 'messages.wait-out-of-range' : 'messages.refused-status';
  api.session.observe(point, `${what}: ${summary(answer)}`, answer.exchange);
  noteMistake(api, 'sendMessage', `with ${what}`, answer);
}

/**
 * Blocked if the chat accepts no valid message, so that its refusals show nothing. A message that it accepted earlier is as
 * good as a new one.
 */
export async function givenAccepting(api: Api, chat: Chat): Promise<void> {
  const answer = latestIn(api.session, chat)?.answer;
  if (answer === undefined || !isSuccess(answer)) await givenTwin(api, chat);
}

/** An accepted message that differs in one respect from the refused one, so the refusal had that one cause. */
export async function givenTwin(api: Api, chat: Chat, draft: Draft = {}): Promise<Answer> {
  const { quickPrompt } = api.session.target.assistant;
  const answer = await sendWhenFree(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session), ...draft });
  if (!isSuccess(answer)) throw new Blocked(`a valid message is refused as well: ${summary(answer)}`);
  return answer;
}
