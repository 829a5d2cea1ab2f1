import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';

/** How chats answered the next message after an answer that showed their last response finished. */
type Next = {
  /** Messages that were not answered so far. */
  readonly open: Map<Chat, number>;
  /** Next messages that each chat accepted one after another. */
  readonly accepted: Map<Chat, number>;
  mostAccepted: number;
  isRefused: boolean;
};

const nextIn = perRun((): Next => ({ open: new Map(), accepted: new Map(), mostAccepted: 0, isRefused: false }));

/** A message that is accepted much later shows less, by this many milliseconds. */
const soonMs = 1000;

/** Sends a new message, and remembers whether the chat accepted it if its last response had surely finished. */
export async function sendNext(session: Session, chat: Chat, send: () => Promise<Answer>): Promise<Answer> {
  const next = nextIn(session);
  const before = session.chats.standing(chat);
  const open = next.open.get(chat) ?? 0;
  const accepted = next.accepted.get(chat) ?? 0;
  next.open.set(chat, open + 1);
  next.accepted.set(chat, 0);
  try {
    const answer = await send();
    if (before.state !== 'idle' || !before.isSure || open > 0) return answer;
    const afterMs = answer.exchange.sentAt - before.finished.exchange.receivedAt;
    const { toleranceMs } = session.target.limits;
    if (answer.status === 409 && afterMs >= toleranceMs) next.isRefused = true;
    if (!isSuccess(answer) || afterMs > toleranceMs + soonMs) return answer;
    next.accepted.set(chat, accepted + 1);
    next.mostAccepted = Math.max(next.mostAccepted, accepted + 1);
    return answer;
  } finally {
    next.open.set(chat, (next.open.get(chat) ?? 1) - 1);
  }
}

/** Whether a chat accepted this many messages, each soon after a finished response, and no chat refused such a message with 409. */
export function areAcceptedNext(session: Session, count: number): boolean {
  const { mostAccepted, isRefused } = nextIn(session);
  return mostAccepted >= count && !isRefused;
}
