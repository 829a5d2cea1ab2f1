import type { Caller, Outgoing } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';

/** What a repetition must send unchanged, because a deployment may compare the bytes of a body and its content type. */
export type Written = Pick<Outgoing, 'body' | 'contentType'>;

/** A message that its chat accepted, or may have accepted: it can be repeated with its key. */
export type Latest = {
  readonly chat: Chat;
  readonly caller: Caller;
  readonly key: string;
  readonly text: string;
  /** How its body was written if that is unusual. */
  readonly written?: Written | undefined;
  /** When it was sent, in milliseconds of the clock. */
  readonly sentAt: number;
  /** The answer; undefined if the client got none. Of a repetition if that showed the finished response. */
  readonly answer: Answer | undefined;
  /** The answer to the message before it in the chat, where that is known. */
  readonly before: Answer | undefined;
  /** Whether the chat has refused another message since. */
  readonly hasRefused: boolean;
};

/** A chat that answered 409 until the run gave it up. */
export type Stuck = { readonly latest: Latest; readonly refused: Answer };

/** How long the finished responses to one text took. */
type Durations = { readonly count: number; readonly leastMs: number; readonly mostMs: number };

type Memory = {
  readonly latest: Map<Chat, Latest>;
  /** Accepted messages that were not repeated so far, by their keys. */
  readonly unrepeated: Map<string, Latest>;
  readonly stuck: Stuck[];
  /** The keys of messages whose client left before the answer, by their chats. */
  readonly left: Map<Chat, string>;
  /** The first accepted message of each chat, and how many others followed it. */
  readonly first: Map<Chat, { readonly message: Latest; readonly followers: number }>;
  readonly durations: Map<string, Durations>;
  /** How many messages each chat has refused. */
  readonly refusals: Map<Chat, number>;
  undisturbed: Answer | undefined;
};

const memoryOf = perRun((): Memory => ({
  latest: new Map(),
  unrepeated: new Map(),
  stuck: [],
  left: new Map(),
  first: new Map(),
  durations: new Map(),
  refusals: new Map(),
  undisturbed: undefined,
}));

/** Texts whose durations are remembered. */
const mostTexts = 1000;

/** How many {@link unrepeatedIn} gives. */
const [oldest, newest] = [4, 5];

/** Messages that were not repeated and are remembered. */
const mostUnrepeated = 1000;

/** Remembers a message if it is the latest of its chat. A message without a key cannot be repeated. */
export function rememberLatest(
  session: Session,
  message: Omit<Latest, 'key' | 'text' | 'sentAt' | 'before' | 'hasRefused'> & {
    readonly key: string | null;
    readonly text: unknown;
  },
): void {
  const { latest, unrepeated, first } = memoryOf(session);
  const { chat, key, text, answer } = message;
  if (answer !== undefined && !isSuccess(answer) && answer.status < 500) return;
  rememberDuration(session, text, answer);
  if (key === null || typeof text !== 'string') {
    latest.delete(chat);
    return;
  }
  const before = latest.get(chat);
  const sentAt = answer?.exchange.sentAt ?? session.clock.now();
  // A held request may be answered after a message that the chat accepted later.
  if (before !== undefined && before.sentAt > sentAt) return forgetLatest(session, chat);
  const made = { ...message, key, text, sentAt, before: before?.answer, hasRefused: false };
  latest.set(chat, made);
  if (answer !== undefined && isSuccess(answer)) {
    const { message: oldest = made, followers = -1 } = first.get(chat) ?? {};
    first.set(chat, { message: oldest, followers: followers + 1 });
  }
  if (answer !== undefined && isSuccess(answer) && unrepeated.size < mostUnrepeated) unrepeated.set(key, made);
}

function rememberDuration(session: Session, text: unknown, answer: Answer | undefined): void {
  const { durations } = memoryOf(session);
  if (answer?.status !== 200 || typeof text !== 'string' || durations.size >= mostTexts) return;
  const { elapsedMs } = answer;
  const { count, leastMs, mostMs } = durations.get(text) ?? { count: 0, leastMs: elapsedMs, mostMs: elapsedMs };
  durations.set(text, {
    count: count + 1,
    leastMs: Math.min(leastMs, elapsedMs),
    mostMs: Math.max(mostMs, elapsedMs),
  });
}

/** The latest message of a chat. */
export function latestIn(session: Session, chat: Chat): Latest | undefined {
  return memoryOf(session).latest.get(chat);
}

/** Forgets the latest message of a chat, because it is unknown which of several it is. */
export function forgetLatest(session: Session, chat: Chat): void {
  memoryOf(session).latest.delete(chat);
}

/** Remembers that the chat refused a message after its latest one. */
export function rememberRefusal(session: Session, chat: Chat): void {
  const { refusals } = memoryOf(session);
  refusals.set(chat, refusalsIn(session, chat) + 1);
  const latest = latestIn(session, chat);
  if (latest !== undefined) memoryOf(session).latest.set(chat, { ...latest, hasRefused: true });
}

export function refusalsIn(session: Session, chat: Chat): number {
  return memoryOf(session).refusals.get(chat) ?? 0;
}

/** Remembers an answer that showed the finished response to a slow message while the chat refused no other one. */
export function rememberUndisturbed(session: Session, answer: Answer): void {
  memoryOf(session).undisturbed ??= answer;
}

export function undisturbedIn(session: Session): Answer | undefined {
  return memoryOf(session).undisturbed;
}

export function rememberRepeated(session: Session, key: string): void {
  memoryOf(session).unrepeated.delete(key);
}

/**
 * Some accepted messages that were not repeated so far: the oldest, whose keys a cache may have displaced, and of the others the newest of
 * as many organizations as there are, because each may keep its keys apart.
 */
export function unrepeatedIn(session: Session): readonly Latest[] {
  const all = [...memoryOf(session).unrepeated.values()];
  const others = all.slice(oldest);
  const newestOfEach = new Map(others.map((one) => [one.chat.organizationId, one])).values();
  const chosen = new Set([...newestOfEach, ...others.toReversed()].slice(0, newest));
  return [...all.slice(0, oldest), ...others.filter((one) => chosen.has(one))];
}

/** Lets {@link unrepeatedIn} give that message: a request may have harmed its key. */
export function suspectKey(session: Session, key: string): void {
  const { unrepeated } = memoryOf(session);
  const others = [...unrepeated].filter(([name]) => name !== key);
  const message = unrepeated.get(key);
  unrepeated.clear();
  for (const [name, one] of [...(message === undefined ? [] : [[key, message] as const]), ...others])
    unrepeated.set(name, one);
}

/** The first accepted message of the chat that accepted the most; undefined if none followed it. */
export function oldestIn(session: Session): Latest | undefined {
  const [most] = [...memoryOf(session).first.values()].toSorted((one, other) => other.followers - one.followers);
  return most !== undefined && most.followers > 0 ? most.message : undefined;
}

/** Remembers that a repetition showed the finished response to the latest message of a chat. */
export function finishLatest(session: Session, latest: Latest, answer: Answer): void {
  memoryOf(session).latest.set(latest.chat, { ...latest, answer });
}

/** The latest message of a chat, if its answer showed the finished response. */
export function finishedIn(session: Session, chat: Chat): Latest | undefined {
  const latest = latestIn(session, chat);
  return latest?.answer?.status === 200 ? latest : undefined;
}

export function durationsOf(session: Session, text: string): Durations {
  return memoryOf(session).durations.get(text) ?? { count: 0, leastMs: 0, mostMs: 0 };
}

/** How much longer than the quickest response an equally quick one may seem to take, in milliseconds. */
const spareMs = 50;

/**
 * How long the quickest response to the text of the chat's latest message took, in milliseconds, and when the latest one is over if it
 * is as quick, in milliseconds of the clock. 0 and -Infinity if nothing is known.
 */
export function quickestIn(session: Session, chat: Chat): { readonly takesMs: number; readonly dueAt: number } {
  const latest = latestIn(session, chat);
  if (latest === undefined) return { takesMs: 0, dueAt: Number.NEGATIVE_INFINITY };
  const { leastMs } = durationsOf(session, latest.text);
  return { takesMs: leastMs, dueAt: latest.sentAt + leastMs + spareMs };
}

/** Remembers that a chat was given up while it answered 409. */
export function rememberStuck(session: Session, chat: Chat, refused: Answer): void {
  const { latest, stuck } = memoryOf(session);
  const message = latest.get(chat);
  if (message !== undefined) stuck.push({ latest: message, refused });
}

export function stuckIn(session: Session): readonly Stuck[] {
  return memoryOf(session).stuck;
}

/** Remembers that the client of a message left before the answer. */
export function rememberLeft(session: Session, chat: Chat, key: string): void {
  memoryOf(session).left.set(chat, key);
}

/** The messages whose client left before the answer, and that no other message of the chat followed. */
export function leftIn(session: Session): readonly Latest[] {
  const { left, latest } = memoryOf(session);
  return [...left].flatMap(([chat, key]) => {
    const message = latest.get(chat);
    return message?.key === key ? [message] : [];
  });
}
