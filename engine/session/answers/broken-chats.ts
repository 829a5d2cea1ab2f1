import { type Answer, isSuccess } from '../../../core/exchange.ts';
import type { Chat } from '../chat-pool.ts';
import { isOwnInternalError } from '../errors/internal-errors.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** What a chat answered to valid messages of its admin. */
type Answers = { accepted: Answer | undefined; erred: Answer | undefined };

/** A chat that accepted messages until it answered a valid one with an internal error, and none since. */
export type BrokenChat = { readonly chat: Chat; readonly accepted: Answer; readonly erred: Answer };

const answersIn = perRun(() => new Map<Chat, Answers>());

/** Remembers the answer to a valid message. A 409 and a 429 say nothing about the next one. */
export function noteValidMessage(session: Session, chat: Chat, answer: Answer): void {
  const answers = answersIn(session).get(chat) ?? { accepted: undefined, erred: undefined };
  answersIn(session).set(chat, answers);
  if (isSuccess(answer)) [answers.accepted, answers.erred] = [answer, undefined];
  else if (isOwnInternalError(answer)) answers.erred ??= answer;
}

export function brokenChatsOf(session: Session): readonly BrokenChat[] {
  return [...answersIn(session)].flatMap(([chat, { accepted, erred }]) =>
    accepted === undefined || erred === undefined ? [] : [{ chat, accepted, erred }],
  );
}
