import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Outgoing } from '../../engine/api.ts';
import type { Chat, ChatPool } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { messageIds } from '../../promises/messages.ts';

/** How chats answered the next message after an answer that showed their last response finished. */
type Next = {
  /** Messages that were not answered so far. */
  readonly open: Map<Chat, number>;
  /** The latest message of each chat, as the number of those before it. */
  readonly sent: Map<Chat, number>;
  /** Next messages that each chat accepted one after another. */
  readonly accepted: Map<Chat, number>;
  mostAccepted: number;
  isRefused: boolean;
  /** What each chat accepted last. */
  readonly last: Map<Chat, NextDraft>;
  /** Chats that refused the next message after a finished response, until they accept one. */
  readonly doubtful: Map<Chat, Doubt>;
  readonly refusedIdle: RefusedIdle[];
};

/** How a message was sent, so that one like it can be sent. */
export type NextDraft = Partial<Pick<Outgoing, 'message' | 'body' | 'contentType' | 'wait'>>;

type Doubt = {
  readonly finished: Answer;
  readonly refused: Answer;
  /** Whether every refused message had a key of its own: otherwise a 409 may be about the key. */
  readonly isFresh: boolean;
  /** Whether the chat was surely idle then: no repetition had come in between, and the tolerance was over. */
  readonly wasIdle: boolean;
  /** The time from the first to the last message that the chat refused since that response, in milliseconds. */
  readonly lastedMs: number;
};

/** A 409 of a chat whose last response had finished, and the next message, which names a message of that response as its parent. */
export type RefusedIdle = Omit<Doubt, 'wasIdle'> & {
  readonly chat: Chat;
  readonly accepted: Answer;
  /** The message whose response had finished. */
  readonly before: NextDraft | undefined;
};

const nextIn = perRun((): Next => ({
  open: new Map(),
  sent: new Map(),
  accepted: new Map(),
  mostAccepted: 0,
  isRefused: false,
  last: new Map(),
  doubtful: new Map(),
  refusedIdle: [],
}));

/** A message that is accepted much later shows less, by this many milliseconds. */
const soonMs = 1000;

/** A chat that refuses messages for that much longer than the tolerance after a finished response does not just notice its end late. */
const longMs = 2000;

/** Whether the chat refused messages for so long that a repetition, which shows the response finished, is no reason. */
export function isLong({ target }: Session, { lastedMs }: Pick<RefusedIdle, 'lastedMs'>): boolean {
  return lastedMs >= target.limits.toleranceMs + longMs;
}

/**
 * Sends a new message, and remembers whether the chat accepted it if its last response had surely finished. Where its key is not
 * `isFresh`, a 409 may be about the key.
 */
export async function sendNext(
  session: Session,
  chat: Chat,
  draft: NextDraft,
  send: () => Promise<Answer>,
  isFresh = true,
): Promise<Answer> {
  const next = nextIn(session);
  const before = session.chats.standing(chat);
  const open = next.open.get(chat) ?? 0;
  const accepted = next.accepted.get(chat) ?? 0;
  const place = (next.sent.get(chat) ?? 0) + 1;
  next.open.set(chat, open + 1);
  next.sent.set(chat, place);
  next.accepted.set(chat, 0);
  try {
    const answer = await send();
    if (isSuccess(answer)) settleDoubt(session, chat, answer, draft);
    const { toleranceMs } = session.target.limits;
    const isTelling = open === 0 && isOrdinary(session, draft);
    if (answer.status === 409 && isTelling) doubt(next, chat, { before, refused: answer, toleranceMs, isFresh });
    if (before.state !== 'idle' || !before.isSure || open > 0) return answer;
    const afterMs = answer.exchange.sentAt - before.finished.exchange.receivedAt;
    // The chat may have accepted one that was sent meanwhile.
    const isAlone = next.sent.get(chat) === place;
    if (answer.status === 409 && isAlone && afterMs >= toleranceMs) next.isRefused = true;
    if (!isSuccess(answer) || afterMs > toleranceMs + soonMs) return answer;
    next.accepted.set(chat, accepted + 1);
    next.mostAccepted = Math.max(next.mostAccepted, accepted + 1);
    return answer;
  } finally {
    next.open.set(chat, (next.open.get(chat) ?? 1) - 1);
  }
}

/** Whether nothing is wrong with the message: an invalid one may be refused with any 4xx status. */
function isOrdinary({ target }: Session, { message, body, contentType, wait }: NextDraft): boolean {
  const { slowPrompt, quickPrompt } = target.assistant;
  const isPrompt = message === slowPrompt || message === quickPrompt;
  const isInRange = wait === undefined || (Number.isInteger(wait) && Number(wait) >= 1 && Number(wait) <= 300);
  return isPrompt && body === undefined && contentType === undefined && isInRange;
}

type Refusal = {
  readonly before: ReturnType<ChatPool['standing']>;
  readonly refused: Answer;
  readonly toleranceMs: number;
  readonly isFresh: boolean;
};

/** Remembers a 409 after a finished response, since which the chat accepted no message. */
function doubt({ doubtful }: Next, chat: Chat, { before, refused, toleranceMs, isFresh }: Refusal): void {
  const { finished } = before;
  if (finished === undefined) return;
  const { sentAt } = refused.exchange;
  const known = doubtful.get(chat);
  const isSame = known?.finished === finished;
  const firstRefused = isSame ? known.refused : refused;
  const isOver = sentAt - finished.exchange.receivedAt >= toleranceMs;
  doubtful.set(chat, {
    finished,
    refused: firstRefused,
    isFresh: isFresh && (!isSame || known.isFresh),
    wasIdle: (isSame && known.wasIdle) || (before.state === 'idle' && before.isSure && isOver),
    lastedMs: sentAt - firstRefused.exchange.sentAt,
  });
}

/** If the accepted message follows the finished response, no other message came in between that could explain the 409. */
function settleDoubt(session: Session, chat: Chat, accepted: Answer, draft: NextDraft): void {
  const { doubtful, last, refusedIdle } = nextIn(session);
  const doubted = doubtful.get(chat);
  const before = last.get(chat);
  doubtful.delete(chat);
  last.set(chat, draft);
  const parent = stringAt(accepted.json, 'data', 'userMessage', 'parentId');
  if (doubted === undefined || parent === undefined || !messageIds(doubted.finished).includes(parent)) return;
  const { wasIdle, ...seen } = doubted;
  if ((wasIdle && seen.isFresh) || isLong(session, seen)) refusedIdle.push({ ...seen, chat, accepted, before });
}

/** Every 409 of an idle chat that no other message explains. Its key may explain it unless `isFresh`. */
export function refusedIdleIn(session: Session): readonly RefusedIdle[] {
  return nextIn(session).refusedIdle;
}

/** Whether a chat accepted this many messages, each soon after a finished response, and no chat refused such a message with 409. */
export function areAcceptedNext(session: Session, count: number): boolean {
  const { mostAccepted, isRefused } = nextIn(session);
  return mostAccepted >= count && !isRefused;
}
