import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { keyHeaders } from './key-headers.ts';
import { stringAt } from '../../core/json.ts';
import { askedOf } from '../../core/route.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** A request of this run that may have left a message in its chat. */
type Noted = {
  readonly exchange: Exchange;
  /** Its idempotency key, if it has one. */
  readonly key: string | undefined;
  /** The IDs of both messages, if it was accepted. */
  readonly ids: readonly string[];
  /** What its message follows; empty if that is not shown. */
  readonly parent: string;
  /** Whether it was accepted, but the answer lacks the ID of a message, which the next one may follow. */
  readonly isPartial: boolean;
};

const roles = ['userMessage', 'assistantMessage'] as const;

const notedIn = perRun(() => ({ chats: new Map<string, Noted[]>(), count: 0 }));

/** Requests that a run remembers. */
const mostNoted = 20_000;

/** So many messages must follow own ones: where parents are not those of the thread, a strange one shows nothing. */
const enoughOwn = 2;

/** The messages of this run that are under way. */
const underWayIn = perRun(() => new Set<{ readonly chatId: string; readonly sentAt: number }>());

/** Sends a message to the chat. Until it is answered, other messages may follow it although no answer shows it. */
export async function writing<Done>(session: Session, chatId: string, send: () => Promise<Done>): Promise<Done> {
  const one = { chatId, sentAt: session.clock.now() };
  underWayIn(session).add(one);
  try {
    return await send();
  } finally {
    underWayIn(session).delete(one);
  }
}

/** Remembers every message that this run sends, however it is answered. */
export function noteWrite(session: Session, exchange: Exchange): void {
  const memory = notedIn(session);
  if (exchange.operation !== 'sendMessage' || memory.count >= mostNoted) return;
  const answer = answerOf(exchange);
  const json = answer !== undefined && isSuccess(answer) ? answer.json : undefined;
  const ids = roles.flatMap((role) => stringAt(json, 'data', role, 'id') ?? []);
  const parent = stringAt(json, 'data', 'userMessage', 'parentId') ?? '';
  const chatId = askedOf(exchange)?.id ?? '';
  const noted = memory.chats.get(chatId) ?? [];
  const values = keyHeaders(session).map((name) => exchange.request.headers[name]);
  const key = values.find((value) => value !== undefined);
  noted.push({ exchange, key, ids, parent, isPartial: json !== undefined && new Set(ids).size < roles.length });
  memory.chats.set(chatId, noted);
  memory.count += 1;
}

/**
 * A chat to which something else than this run writes: new messages follow messages that no answer showed, although this run sent
 * nothing else since the message before, and nothing of it is under way. Three things explain such a message. The first is an answer that
 * shows only one of its two messages. The second is a refused request, which may have left it behind; but a 409 in a chat that was shown
 * free explains nothing, because something else kept the chat busy. The third is a repetition, also of a request that got no answer, if the
 * `evidence` of the violation holds one and a message that was accepted after it, or if there is no evidence about messages.
 */
export function chatOfOthers(session: Session, evidence?: readonly Exchange[]): string | undefined {
  const { chats } = notedIn(session);
  const known = new Set([...chats.values()].flatMap((all) => all.flatMap(({ ids }) => ids)));
  const underWay = [...underWayIn(session)];
  const all = [...chats].map(([chatId, noted]) => {
    const since = Math.min(...underWay.filter((one) => one.chatId === chatId).map(({ sentAt }) => sentAt));
    const settled = noted.filter(({ exchange }) => exchange.receivedAt < since);
    return { chatId, ...followsIn(settled, known, evidence ?? []) };
  });
  const last = evidence?.at(-1);
  const isAccepted = last !== undefined && answerOf(last)?.status !== 409;
  const repetitionsLeave = evidence === undefined || (isAccepted && all.some(({ isRepeated }) => isRepeated));
  const strangeIn = ({ strange, repeated }: Follows): number => strange + (repetitionsLeave ? 0 : repeated);
  const own = all.reduce((total, one) => total + one.own, 0);
  const strange = all.reduce((total, one) => total + strangeIn(one), 0);
  return own < enoughOwn || strange < 1 ? undefined : all.find((one) => strangeIn(one) > 0)?.chatId;
}

/** What the messages of a chat follow: own messages, strange ones, and strange ones after a repetition. */
type Follows = { readonly own: number; readonly strange: number; readonly repeated: number };

/** Whether it is another accepted message that was under way at the same time. */
function isBeside({ exchange: { sentAt, receivedAt }, ids }: Noted, one: Exchange): boolean {
  return ids.length > 0 && sentAt <= one.receivedAt && receivedAt >= one.sentAt;
}

function followsIn(
  noted: readonly Noted[],
  known: ReadonlySet<string>,
  evidence: readonly Exchange[],
): Follows & { readonly isRepeated: boolean } {
  const seen = new Set<string>();
  const keys = new Set<string>();
  const follows = { own: 0, strange: 0, repeated: 0, isRepeated: false };
  let lastAt = Number.POSITIVE_INFINITY;
  const otherAt = { refused: Number.NEGATIVE_INFINITY, repeated: Number.NEGATIVE_INFINITY };
  // A repetition may begin another response, which takes no longer than any before it.
  const longestMs = Math.max(0, ...noted.map(({ exchange }) => exchange.receivedAt - exchange.sentAt));
  /** Since when no response to an own message can be generating, if nothing else was sent. */
  let freeAt = Number.POSITIVE_INFINITY;
  let last: readonly string[] = [];
  for (const { exchange, key, ids, parent, isPartial } of noted.toSorted(
    (a, b) => a.exchange.sentAt - b.exchange.sentAt,
  )) {
    const { sentAt, receivedAt } = exchange;
    const status = answerOf(exchange)?.status;
    if (status === 409 && sentAt > freeAt && !noted.some((one) => isBeside(one, exchange))) continue;
    const isAgain = key !== undefined && keys.has(key);
    if (key !== undefined) keys.add(key);
    const other = ids.length === 0 ? 'refused' : ids.some((id) => seen.has(id)) ? 'repeated' : undefined;
    const isFree = status === 200 && (other === undefined || ids.some((id) => last.includes(id)));
    freeAt = isFree ? receivedAt + (other === undefined ? 0 : longestMs) : Number.POSITIVE_INFINITY;
    if (other !== undefined) {
      otherAt[other] = Math.max(otherAt[other], receivedAt);
      follows.isRepeated ||= other === 'repeated' && evidence.includes(exchange);
      continue;
    }
    const isStrange = parent !== '' && !known.has(parent) && !seen.has(parent) && otherAt.refused < lastAt;
    if (known.has(parent)) follows.own += 1;
    else if (isStrange && lastAt !== Number.POSITIVE_INFINITY)
      follows[otherAt.repeated < lastAt ? 'strange' : 'repeated'] += 1;
    for (const id of [...ids, parent]) seen.add(id);
    [lastAt, last] = [sentAt, ids];
    if (isAgain) otherAt.repeated = Math.max(otherAt.repeated, receivedAt);
    follows.isRepeated ||= isAgain && evidence.includes(exchange);
    if (isPartial) otherAt.refused = Math.max(otherAt.refused, receivedAt);
  }
  return follows;
}
