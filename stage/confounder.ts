import { answerOf, type Exchange, isSuccess, summary } from '../core/exchange.ts';
import { type Api, as } from '../engine/api.ts';
import type { Chat } from '../engine/session/chat-pool.ts';
import { sendWhenFree } from './chats/sending.ts';
import { TransportError } from '../core/http.ts';
import { stringAt } from '../core/json.ts';
import { chatOfOthers } from '../engine/session/other-writers.ts';
import { chatsOf } from '../engine/session/seen-messages.ts';
import { quickPromptWait } from '../engine/session/waits/choose-wait.ts';
import { patienceMs, waitedWithoutResult } from '../engine/session/waits/patience.ts';
import { perRun } from '../engine/session/run-memory.ts';
import { Blocked } from '../engine/verdict.ts';

/** The pauses before the messages that test a chat, from the one before on, in milliseconds. A message without one should follow this run's own one. */
const pausesMs = [0, 0, 1500, 0, 4000, 0, 6000, 0, 8000] as const;
const fullMs = pausesMs.reduce<number>((sum, pause) => sum + pause, 0);
/** This many times as long as all pauses is long enough for all messages. */
const longEnough = 1.5;
/** How long a chat may be busy before each of them, in milliseconds. */
const busyMs = 10_000;

/** Whether other traffic was seen in a chat. Each chat is tested once. */
const watchedChatsIn = perRun(() => new Map<Chat, boolean>());

/**
 * Another explanation of a violation: a key of the target file is no longer accepted, or other traffic writes to a chat that
 * the check used. Undefined if neither is seen. Called only for a violation, because it takes seconds. A late check tests again
 * chats in which no other traffic was seen before.
 */
export async function confounderOf(
  api: Api,
  evidence: readonly Exchange[],
  isLate = false,
): Promise<string | undefined> {
  const isMessage = evidence.some(({ operation }) => operation === 'sendMessage');
  const known = isMessage ? chatOfOthers(api.session, evidence) : undefined;
  if (known !== undefined) return sharedReason(known);
  return (await revokedKey(api, evidence)) ?? (await unlessUnanswered(() => sharedChat(api, evidence, isLate)));
}

/** Only the first of these explanations, which costs two requests. */
export function revokedKey(api: Api, evidence: readonly Exchange[]): Promise<string | undefined> {
  return unlessUnanswered(() => deadKey(api, evidence));
}

async function unlessUnanswered(look: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Blocked || error instanceof TransportError) return undefined;
    throw error;
  }
}

async function deadKey(api: Api, evidence: readonly Exchange[]): Promise<string | undefined> {
  for (const principal of api.session.target.principals) {
    const caller = as(principal);
    const [organizationId] = principal.adminOf;
    const isRefused = (exchange: Exchange): boolean =>
      exchange.request.headers['authorization'] === caller.authorization && answerOf(exchange)?.status === 401;
    if (organizationId === undefined || !evidence.some(isRefused)) continue;
    const models = await api.listModels(caller, organizationId);
    const sources = await api.listDataSources(caller, organizationId);
    if (models.status !== 401 || sources.status !== 401) continue;
    return `the key of ${principal.name} is not accepted any more: ${summary(sources)}: declare a key that stays valid for the whole run`;
  }
  return undefined;
}

async function sharedChat(api: Api, evidence: readonly Exchange[], isLate: boolean): Promise<string | undefined> {
  const watched = watchedChatsIn(api.session);
  for (const chat of api.leased) {
    const known = watched.get(chat);
    const shared = known === undefined || (isLate && !known) ? await isShared(api, chat) : known;
    watched.set(chat, shared);
    if (shared) return sharedReason(chat.chatId);
  }
  const met = api.leased.length > 0 ? chatOfOthers(api.session, evidence) : undefined;
  return met === undefined ? undefined : sharedReason(met);
}

/** Both explain such a message: no answer shows who wrote the one before it. */
function sharedReason(chatId: string): string {
  return `a message of chat ${chatId} follows one that no answer showed: other traffic writes to the chat, so declare chats that only this run uses, and let no two runs overlap; or the deployment made a response twice, as when its job is delivered again`;
}

/**
 * Whether messages of this run follow messages that it did not send. Also false if its messages are refused, or
 * never follow its own: then the deployment names parents differently, and other traffic cannot be seen.
 */
async function isShared(api: Api, chat: Chat): Promise<boolean> {
  const { clock, target } = api.session;
  const draft = { message: target.assistant.quickPrompt, wait: quickPromptWait(api.session) };
  const own = new Set<string>();
  const follows = { own: 0, strange: 0 };
  const share = patienceMs(api.session, 'other traffic in a chat', fullMs) / fullMs;
  // Where the chat is busy for long before each message, fewer messages take as much time.
  const enoughAt = clock.now() + longEnough * share * fullMs;
  let heldMs = 0;
  for (const pauseMs of pausesMs) {
    if (follows.own > 0 && clock.now() > enoughAt) break;
    await clock.sleep(Math.max(0, share * pauseMs - heldMs));
    const askedAt = clock.now();
    const answer = await sendWhenFree(api, chat, draft, { untilMs: askedAt + busyMs });
    if (!isSuccess(answer)) {
      waitedWithoutResult(api.session, 'other traffic in a chat');
      return false;
    }
    heldMs = clock.now() - askedAt;
    const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId');
    if (own.size > 0 && parent !== undefined && parent !== '') {
      follows[chatsOf(api.session, parent).size > 0 ? 'own' : 'strange'] += 1;
    }
    const ids = ['userMessage', 'assistantMessage'].map((role) => stringAt(answer.json, 'data', role, 'id') ?? '');
    // The deployment took this message for a repetition.
    if (ids.some((id) => own.has(id))) return false;
    for (const id of ids) own.add(id);
  }
  const isSeen = follows.own > 0 && follows.strange > 0;
  if (!isSeen) waitedWithoutResult(api.session, 'other traffic in a chat');
  return isSeen;
}
