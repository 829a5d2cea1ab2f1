import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { inexplicableIn, mustBeExplicable } from '../../stage/chats/chat-attempts.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenChat, givenSent, unlessRefused } from '../../stage/chats/conversation.ts';
import { longText } from '../../stage/chats/long-messages.ts';
import { quickestIn } from '../../stage/chats/latest-message.ts';
import { loseTrack, type Sent, send, sendWhenFree } from '../../stage/chats/sending.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { followToEnd, givenPace, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { repetitionsShowEnds } from '../../stage/chats/shown-ends.ts';
import { isHeldInFull, quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { Blocked, Late } from '../../engine/verdict.ts';
import { becomeQuiet, mustNotEndRunning } from './ended-early.ts';
import { isLimited, mustAllBeConflicts } from './must-be-conflict.ts';
import { mustNotOverlap } from './overlap.ts';
import { sendRefused } from './refused-meanwhile.ts';
import { requestAt, unknownPlace } from '../shared/place.ts';

/**
 * When the other messages follow the first one, in milliseconds at the usual pace. One has no key, because the key may carry the lock.
 * One has a long wait, because the deployment may queue it for that time. One comes right after refused requests, because these may release the lock.
 * One is long, because such a text may be stored by other code.
 */
const others = [
  { atMs: 300, keyed: true, wait: undefined, isAfterRefused: false, isLong: true },
  { atMs: 700, keyed: false, wait: undefined, isAfterRefused: false, isLong: false },
  { atMs: 1100, keyed: true, wait: 10, isAfterRefused: true, isLong: false },
  { atMs: 2000, keyed: true, wait: undefined, isAfterRefused: false, isLong: false },
] as const;
/** The characters of a long message: fewer than are allowed. */
const longCharacters = 9000;
/**
 * While a slow response is generating, shown by its request being held, other messages must be refused with 409. One that
 * is accepted is a violation only where no legal deployment could have answered all that was sent.
 */
export async function mustRefuseWhileHeld(api: Api): Promise<void> {
  const keys = await keysWork(api);
  const pace = await givenPace(api);
  const chat = await givenChat(api);
  const allowanceMs = await givenAllowanceMs(api);
  await twice(api, () => mustRefuseMeanwhile(api, chat, { keys, pace, allowanceMs }));
}

type Stage = {
  readonly keys: boolean;
  readonly pace: Pace;
  readonly allowanceMs: number;
};

/** Messages that were accepted only after the response before them had finished. */
const queuedIn = perRun((): Answer[] => []);

async function mustRefuseMeanwhile(api: Api, chat: Chat, { keys, pace, allowanceMs }: Stage): Promise<void> {
  await becomeQuiet(api, chat);
  const { holdSeconds } = pace;
  const { slowPrompt, quickPrompt } = api.session.target.assistant;
  const { toleranceMs } = api.session.target.limits;
  let isAnswered = false;
  const held = givenSent(api, chat, slowPrompt, { wait: holdSeconds }).finally(() => {
    isAnswered = true;
  });
  const [sent, { probed, unkeyed, quota }] = await during(
    held,
    probe(api, chat, pace, () => isAnswered),
  );
  const follows = keys && sent.answer.status === 202;
  // If the first response is still generating, repeating its request may show it.
  if (follows && probed.some(isSuccess)) await followToEnd(api, [sent], pace);
  const last = follows && !isHeldInFull(api.session) ? await sendLate(api, sent, pace, allowanceMs) : undefined;
  if (last === undefined || !isSuccess(last))
    await sendWhenFree(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
  if (follows) await followToEnd(api, [sent], pace);
  mustBeExplicable(api, chat, 'without repetitions');
  // Repetitions may show a response generating that has finished.
  if (inexplicableIn(api, chat) !== undefined && (await repetitionsShowEnds(api, chat))) mustBeExplicable(api, chat);
  // If a rate limit delayed the first message, others were sent before it.
  const later = probed.filter(({ exchange }) => exchange.sentAt > sent.answer.exchange.sentAt);
  if (later.length < probed.length && later.length === 0) throw new Blocked(keptBack);
  const isHeld = sent.answer.status === 202 && sent.answer.elapsedMs > 1000 * holdSeconds - toleranceMs;
  if (isHeld) mustAllBeConflicts(later, sent.answer);
  if (isHeld && later.length > 1 && later.every(isLimited)) {
    if (!quota) await mustNotMeanBusy(api, chat, [sent.answer, ...later]);
    throw new Blocked('rate limited: each message to the busy chat was answered 429');
  }
  const shownUntil = sent.answer.exchange.receivedAt - allowanceMs;
  const late = later.find((answer) => isSuccess(answer) && answer.exchange.sentAt < shownUntil);
  if (isHeld && late !== undefined) {
    const queued = queuedIn(api.session);
    queued.push(late);
    // A single such message may have been delayed on the network.
    const isMeanwhile = late.exchange.receivedAt < sent.answer.exchange.receivedAt;
    const actual = `${late.status} after ${Math.round(late.elapsedMs)} ms, ${isMeanwhile ? 'before' : 'once'} the response had finished`;
    const evidence = [sent.answer, ...queued].map(({ exchange }) => exchange);
    if (queued.length > 1) throw new Late('409 at once while a response is generating', actual, evidence);
    throw new Blocked('the network delayed a message to a busy chat until the response had finished');
  }
  const accepted = later.find(isSuccess);
  const isRefused = later.some(({ status }) => status === 409);
  if (later.some((answer) => unkeyed.has(answer) && isSuccess(answer)))
    await mustNotOverlap(api, chat, pace, 'right after, without a key');
  if (isRefused) return;
  if (accepted !== undefined) await mustNotEndRunning(api, chat, pace, sent.answer, [accepted]);
  await mustNotOverlap(api, chat, pace, 'right after');
  throw new Blocked(unlessRefused(accepted));
}

/**
 * Runs once more if the first run was blocked: network delay may have reordered two messages, or a chat is not as idle as
 * earlier answers said.
 */
export async function twice(api: Api, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    for (const chat of api.leased) {
      if (api.session.chats.standing(chat).state === 'unknown') loseTrack(api, chat);
    }
    await run();
  }
}

/** How much earlier than necessary the late message is sent, in milliseconds: response times vary. */
const marginMs = 100;

/**
 * Another message shortly before the end of the response, because the lock may end with a time of its own. If it is accepted, a
 * repetition after the tolerance may show the response still generating. Otherwise waits until the response may be over.
 */
async function sendLate(api: Api, sent: Sent, pace: Pace, allowanceMs: number): Promise<Answer> {
  const { clock, target } = api.session;
  const { toleranceMs } = target.limits;
  // The message and the repetition take their time as well.
  const spareMs = 2 * allowanceMs - toleranceMs + marginMs;
  const untilMs = sent.answer.exchange.sentAt + pace.responseMs - spareMs;
  await clock.sleep(Math.max(0, untilMs - clock.now()));
  const late = await send(api, sent.chat, { message: target.assistant.quickPrompt }, { patient: false });
  if (isSuccess(late)) {
    await clock.sleep(toleranceMs + 1);
    await followToEnd(api, [sent], pace);
  } else await clock.sleep(Math.max(0, quickestIn(api.session, sent.chat).dueAt - clock.now()));
  return late;
}

/** The reason, where messages to a busy chat were sent before the one that should keep it busy. */
export const keptBack =
  'the message that should have kept the chat busy was itself delayed, by a rate limit or by a busy machine';

type Probed = {
  readonly probed: readonly Answer[];
  /** Those of messages without a key. */
  readonly unkeyed: ReadonlySet<Answer>;
  /** Whether a message to a chat that does not exist was answered 429 as well: then a quota is exhausted. */
  readonly quota: boolean;
};

/**
 * Messages to the busy chat until the first request is answered. They go on after one is accepted: an early one may have
 * arrived before the first, a late one cannot have.
 */
async function probe(api: Api, chat: Chat, pace: Pace, isOver: () => boolean): Promise<Probed> {
  const { clock, target } = api.session;
  const startedAt = clock.now();
  const probed: Answer[] = [];
  const unkeyed = new Set<Answer>();
  let quota = false;
  for (const { atMs, keyed, wait, isAfterRefused, isLong } of others) {
    await clock.sleep(startedAt + meanwhile(pace, atMs) - clock.now());
    if (isOver()) break;
    if (isAfterRefused) await sendRefused(api, chat);
    const keyOf = (fresh: string): string | null => (keyed ? fresh : null);
    const message = isLong ? longText(api, 'a', longCharacters) : target.assistant.quickPrompt;
    const answer = await send(api, chat, { message, wait, keyOf }, { patient: false });
    if (isLimited(answer)) {
      const place = unknownPlace(api);
      quota ||= isLimited(await requestAt(api, 'sendMessage', as(chat.admin), place, { patient: false }));
    }
    // A deployment may require a key for every message, and other checks judge whether it accepts long ones.
    if ((keyed && !isLong) || isSuccess(answer) || answer.status === 409) probed.push(answer);
    if (!keyed) unkeyed.add(answer);
  }
  return { probed, unkeyed, quota };
}

/** A rate limit would not only answer messages to a busy chat with 429, but also messages to unknown and idle chats. */
async function mustNotMeanBusy(api: Api, chat: Chat, shown: readonly Answer[]): Promise<void> {
  const { quickPrompt } = api.session.target.assistant;
  const idle: Answer[] = [];
  for (let count = 0; count < shown.length; count += 1) {
    await becomeQuiet(api, chat);
    idle.push(await send(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) }, { patient: false }));
  }
  must(
    !idle.every(isSuccess),
    '409 while a response is generating',
    '429 each time, but never for an idle chat',
    ...shown,
    ...idle,
  );
}
