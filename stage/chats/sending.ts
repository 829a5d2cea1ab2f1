import { type Api, as, type Caller, type Options, type Outgoing } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { attempt } from './chat-attempts.ts';
import { noteValidMessage } from '../../engine/session/answers/broken-chats.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { stringAt } from '../../core/json.ts';
import {
  finishLatest,
  forgetLatest,
  type Latest,
  latestIn,
  quickestIn,
  rememberLatest,
  rememberRefusal,
  refusalsIn,
  rememberRepeated,
  rememberStuck,
  rememberUndisturbed,
  type Written,
} from './latest-message.ts';
import { repeatedWait } from '../../engine/session/waits/choose-wait.ts';
import { idlePatienceMs, refusalPatienceMs, refusedForGood, stayedBusy } from '../../engine/session/waits/patience.ts';
import type { Session } from '../../engine/session/session.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { noteRepeated, rememberWait } from './held-messages.ts';
import { rememberNext, rememberOutcome } from './lost-responses.ts';
import { rememberLateRefusal } from './late-refusals.ts';
import { sendNext } from './next-messages.ts';

/** An accepted message: the request, and the messages that it created. */
export type Sent = {
  readonly chat: Chat;
  /** The sender; undefined stands for the admin of the chat. */
  readonly caller?: Caller | undefined;
  readonly key: string;
  readonly text: string;
  /** How its body was written if that is unusual. */
  readonly written?: Written | undefined;
  /** In seconds. */
  readonly wait?: number | undefined;
  readonly answer: Answer;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
};

/** What to send. Its key is a fresh one, or the result of `keyOf` for it; null sends no key. */
export type Draft = Partial<Omit<Outgoing, 'key'>> & { readonly keyOf?: (fresh: string) => string | null };

export const unkeyed: Draft = { keyOf: () => null };

/**
 * The pause before a busy chat is tried again, in milliseconds; it doubles up to the longest. Measured: with shorter or longer ones,
 * runs of faults that prolong responses take longer than `proof/time-limit.ts` allows.
 */
const pauseMs = 220;
const longestPauseMs = 2000;
/** Of the time of a response, if that is longer: a refused message may start the response over. */
const longestShare = 1.1;

const idOfUser = ['data', 'userMessage', 'id'] as const;

/** When the chat was seen idle, in milliseconds of the clock. */
export function idleSince(api: Api, chat: Chat): number | undefined {
  const standing = api.session.chats.standing(chat);
  return standing.state === 'idle' ? standing.finished.exchange.receivedAt : undefined;
}

/** Nothing is known of the chat any more: something else may have been accepted last. */
export function loseTrack({ session }: Api, chat: Chat): void {
  session.chats.mark(chat, 'unknown');
  forgetLatest(session, chat);
}

/** Why a chat is given up that was waited for since `startedAt`, in milliseconds of the clock. */
export function neverIdle({ session }: Api, { chatId }: Chat, startedAt: number): string {
  const { assistant, limits } = session.target;
  const { timeoutSeconds } = assistant;
  const isLimit = session.clock.now() - startedAt + limits.toleranceMs >= timeoutSeconds * 1000;
  const advice = isLimit ? `: raise assistant.timeoutSeconds, now ${timeoutSeconds}` : ', by what this run saw';
  return `chat ${chatId} did not become idle for as long as its responses may take${advice}`;
}

/** Waits until the last response can no longer keep the chat busy. */
export async function quiet(api: Api, chat: Chat): Promise<void> {
  const leftMs = quietAt(api, chat) - api.session.clock.now();
  if (leftMs > 0) await api.session.clock.sleep(leftMs);
}

function quietAt(api: Api, chat: Chat): number {
  return (idleSince(api, chat) ?? Number.NEGATIVE_INFINITY) + api.session.target.limits.toleranceMs;
}

/** Sends to a chat as its admin, or as `caller`, and updates the state of the chat from the answer. */
export async function send(
  api: Api,
  chat: Chat,
  draft: Draft,
  { caller = as(chat.admin), ...options }: Options & { readonly caller?: Caller } = {},
): Promise<Answer> {
  const { keyOf, ...rest } = draft;
  const fresh = api.freshKey();
  const outgoing = { ...rest, key: keyOf === undefined ? fresh : keyOf(fresh) };
  const { chats } = api.session;
  const latest = { chat, caller, key: outgoing.key, text: outgoing.message, written: writtenOf(draft) };
  const named = { key: outgoing.key ?? fresh, wait: outgoing.wait };
  const refusals = refusalsIn(api.session, chat);
  try {
    const sendIt = () => attempt(api, chat, named, () => api.sendMessage(caller, chat, outgoing, options));
    const answer = await sendNext(api.session, chat, rest, sendIt, keyOf === undefined);
    rememberNext(api.session, chat, answer);
    if (isSuccess(answer)) rememberOutcome(api.session, chat, outgoing.message, answer);
    if (isSuccess(answer)) acceptanceIn(api.session).isKnown = true;
    if (isUsual(api.session, outgoing) && caller.name === chat.admin.name) noteValidMessage(api.session, chat, answer);
    if (answer.status === 200) {
      if (wasOvertaken(api.session, chat, answer)) chats.mark(chat, 'unknown');
      else chats.markFinished(chat, answer);
      const isSlow = outgoing.message === api.session.target.assistant.slowPrompt;
      if (isSlow && refusalsIn(api.session, chat) === refusals) rememberUndisturbed(api.session, answer);
    } else if (answer.status === 409) {
      chats.markBusy(chat);
      rememberRefusal(api.session, chat);
      if (keyOf === undefined) rememberLateRefusal(api.session, { ...latest, key: fresh, refused: answer });
    } else if (isSuccess(answer) || answer.status >= 500) chats.mark(chat, 'unknown');
    rememberWait(api, outgoing, answer, 'message');
    if (keyOf === undefined && isUsual(api.session, outgoing) && isSuccess(answer))
      promptedIn(api.session).push(answer);
    rememberLatest(api.session, { ...latest, answer });
    return answer;
  } catch (error) {
    chats.mark(chat, 'unknown');
    rememberLatest(api.session, { ...latest, answer: undefined });
    throw error;
  }
}

/** Whether the chat accepted a message that was sent later, whose response may still be generating. */
function wasOvertaken(session: Session, chat: Chat, { exchange }: Answer): boolean {
  return (latestIn(session, chat)?.sentAt ?? Number.NEGATIVE_INFINITY) > exchange.sentAt;
}

/** Successes of messages that were the usual prompts and had a key of their own or none, oldest first. */
export const promptedIn = perRun((): Answer[] => []);

function isUsual({ target }: Session, { message, body }: Partial<Outgoing>): boolean {
  const { slowPrompt, quickPrompt } = target.assistant;
  return body === undefined && (message === slowPrompt || message === quickPrompt);
}

export type Patience = {
  /** When to stop retrying after a 409, in milliseconds of the clock. */
  readonly untilMs?: number;
  /** Whether to retry after any 4xx and 503 too, once the deployment has accepted a message. */
  readonly allRefusals?: boolean;
};

/**
 * The first answer other than 409, with a new key for each try. An idle chat may be busy only for the tolerance after its
 * last response, any other chat as long as a response may take by what this run saw; after that, the last 409 is the answer. Other
 * refusals are waited out for a shorter time.
 */
export async function sendWhenFree(
  api: Api,
  chat: Chat,
  draft: Draft,
  { untilMs, allRefusals = false }: Patience = {},
): Promise<Answer> {
  const { clock, chats } = api.session;
  const standing = chats.standing(chat);
  const isIdle = standing.state === 'idle' && standing.isSure;
  const startedAt = clock.now();
  /** Since when it refuses with another status than 409. */
  let refusedAt: number | undefined;
  const fixedUntilMs = untilMs ?? (isIdle ? quietAt(api, chat) : undefined);
  for (let pause = pauseMs; ; pause *= 2) {
    const answer = await send(api, chat, draft);
    const isRefused = (answer.status >= 400 && answer.status < 500) || answer.status === 503;
    const waitsOut = answer.status === 409 || (isRefused && allRefusals && acceptanceIn(api.session).isKnown);
    if (!waitsOut) return answer;
    // Anew each time: other chats may show meanwhile how long responses take.
    const busyUntilMs = startedAt + idlePatienceMs(api.session, chat);
    refusedAt = answer.status === 409 ? undefined : (refusedAt ?? answer.exchange.sentAt);
    const refusedUntilMs = (refusedAt ?? Number.POSITIVE_INFINITY) + refusalPatienceMs(api.session);
    const giveUpAt = fixedUntilMs ?? Math.min(busyUntilMs, refusedUntilMs);
    if (answer.exchange.sentAt >= giveUpAt) {
      if (isIdle || untilMs !== undefined) return answer;
      if (answer.status !== 409) refusedForGood(api.session);
      else {
        stayedBusy(api.session, chat);
        chats.giveUp(chat, neverIdle(api, chat, startedAt), answer);
        rememberStuck(api.session, chat, answer);
      }
      return answer;
    }
    const { takesMs, dueAt } = quickestIn(api.session, chat);
    pause = Math.min(pause, Math.max(longestPauseMs, longestShare * takesMs));
    const againAt = Math.min(giveUpAt, Math.max(clock.now() + pause, dueAt));
    await clock.sleep(Math.max(0, againAt - clock.now()));
  }
}

/** Whether a message was accepted. */
const acceptanceIn = perRun(() => ({ isKnown: false }));

/** How a body is written, if that is unusual. */
export function writtenOf({ body, contentType }: Draft): Written | undefined {
  if (body === undefined && contentType === undefined) return undefined;
  return { ...(body === undefined ? {} : { body }), ...(contentType === undefined ? {} : { contentType }) };
}

/** A message that can be sent again, and what is known of the answer to it. */
type Repeatable = Pick<Sent, 'chat' | 'key' | 'text' | 'caller'> &
  Partial<Pick<Sent, 'wait' | 'userMessageId' | 'written'> & Pick<Latest, 'answer'>>;

/** The same request once more: the key of a message, with its body and wait unless `outgoing` replaces them. */
export async function sendAgain(
  api: Api,
  original: Repeatable,
  outgoing: Partial<Outgoing> = {},
  options: Options = {},
): Promise<Answer> {
  const { chat, key, text, written, wait, caller = as(chat.admin) } = original;
  const usual = wait === undefined ? undefined : repeatedWait(api.session, text, wait);
  const body = outgoing.message === undefined ? written : undefined;
  const again = { message: text, wait: usual, ...body, ...outgoing, key };
  noteRepeated(api.session, key);
  const answer = await attempt(api, chat, again, () => api.sendMessage(caller, chat, again, options));
  rememberWait(api, again, answer, 'repetition');
  rememberRepetition(api, original, again.message, answer);
  return answer;
}

/**
 * A repetition should change nothing. If it creates a message anyway, the chat may be busy for other checks. With another message, the
 * same key may create one.
 */
function rememberRepetition(
  api: Api,
  { chat, key, userMessageId, answer: first }: Repeatable,
  message: unknown,
  answer: Answer,
): void {
  const { chats } = api.session;
  const knownId = userMessageId ?? stringAt(first?.json, ...idOfUser);
  const latest = latestIn(api.session, chat);
  rememberRepeated(api.session, key);
  if (answer.status === 409) rememberRefusal(api.session, chat);
  const isShown = knownId !== undefined && stringAt(answer.json, ...idOfUser) === knownId;
  const isOfLatest = latest?.key === key && (latest.text === message || isShown);
  if (isOfLatest && isSuccess(answer)) rememberOutcome(api.session, chat, message, answer);
  if (answer.status === 200 && isOfLatest) {
    finishLatest(api.session, latest, answer);
    chats.markFinished(chat, answer, 'repetition');
  } else if (isSuccess(answer) && (isShown || isOfLatest)) {
    const standing = chats.standing(chat);
    if (standing.state === 'idle') chats.markFinished(chat, standing.finished, 'repetition');
  } else if (isSuccess(answer)) loseTrack(api, chat);
  else if (answer.status >= 500) chats.mark(chat, 'unknown');
}
