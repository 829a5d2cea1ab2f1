import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { messageIds } from '../../promises/messages.ts';

/** How chats answered the next message after an answer that showed their last response finished. */
type Next = {
  /** Messages that were not answered so far. */
  readonly open: Map<Chat, number>;
  /** Next messages that each chat accepted one after another. */
  readonly accepted: Map<Chat, number>;
  mostAccepted: number;
  isRefused: boolean;
  /** Idle chats that refused the next message, until they accept one. */
  readonly doubtful: Map<Chat, Omit<RefusedIdle, 'accepted'>>;
  readonly refusedIdle: RefusedIdle[];
};

/** A 409 of a chat whose last response had finished, and the next message, which names a message of that response as its parent. */
export type RefusedIdle = { readonly finished: Answer; readonly refused: Answer; readonly accepted: Answer };

const nextIn = perRun((): Next => ({
  open: new Map(),
  accepted: new Map(),
  mostAccepted: 0,
  isRefused: false,
  doubtful: new Map(),
  refusedIdle: [],
}));

/** A message that is accepted much later shows less, by this many milliseconds. */
const soonMs = 1000;

/**
 * Sends a new message, and remembers whether the chat accepted it if its last response had surely finished. Where its key is not
 * `isFresh`, a 409 may be about the key.
 */
export async function sendNext(
  session: Session,
  chat: Chat,
  send: () => Promise<Answer>,
  isFresh = true,
): Promise<Answer> {
  const next = nextIn(session);
  const before = session.chats.standing(chat);
  const open = next.open.get(chat) ?? 0;
  const accepted = next.accepted.get(chat) ?? 0;
  next.open.set(chat, open + 1);
  next.accepted.set(chat, 0);
  try {
    const answer = await send();
    if (isSuccess(answer)) settleDoubt(next, chat, answer);
    if (before.state !== 'idle' || !before.isSure || open > 0) return answer;
    const afterMs = answer.exchange.sentAt - before.finished.exchange.receivedAt;
    const { toleranceMs } = session.target.limits;
    if (answer.status === 409 && afterMs >= toleranceMs) {
      next.isRefused = true;
      if (isFresh) next.doubtful.set(chat, { finished: before.finished, refused: answer });
    }
    if (!isSuccess(answer) || afterMs > toleranceMs + soonMs) return answer;
    next.accepted.set(chat, accepted + 1);
    next.mostAccepted = Math.max(next.mostAccepted, accepted + 1);
    return answer;
  } finally {
    next.open.set(chat, (next.open.get(chat) ?? 1) - 1);
  }
}

/** If the accepted message follows the finished response, no other message came in between that could explain the 409. */
function settleDoubt({ doubtful, refusedIdle }: Next, chat: Chat, accepted: Answer): void {
  const doubt = doubtful.get(chat);
  doubtful.delete(chat);
  const parent = stringAt(accepted.json, 'data', 'userMessage', 'parentId');
  if (doubt === undefined || parent === undefined || !messageIds(doubt.finished).includes(parent)) return;
  refusedIdle.push({ ...doubt, accepted });
}

/** Every 409 of an idle chat that no other message explains. */
export function refusedIdleIn(session: Session): readonly RefusedIdle[] {
  return nextIn(session).refusedIdle;
}

/** Whether a chat accepted this many messages, each soon after a finished response, and no chat refused such a message with 409. */
export function areAcceptedNext(session: Session, count: number): boolean {
  const { mostAccepted, isRefused } = nextIn(session);
  return mostAccepted >= count && !isRefused;
}
