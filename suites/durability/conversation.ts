import { type Api } from '../../engine/api.ts';
import { quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { patienceMs } from '../../engine/session/waits/patience.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { latestIn } from '../../stage/chats/latest-message.ts';
import { beginAttempts, mustBeExplicable } from '../../stage/chats/chat-attempts.ts';
import { givenChat, givenFinished, givenSent, readSent } from '../../stage/chats/conversation.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { followToEnd, givenPace, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { send, type Sent, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { givenLast, parentIn } from '../../stage/chats/thread.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import { isSame } from '../messages/same-messages.ts';

/** A message that was sent several times while an outage happened, and once more after it unless it was refused each time. */
export type Tried = {
  /** The message, if it was accepted. */
  readonly sent: Sent | undefined;
  /** Every answer that shows it. */
  readonly accepted: readonly Answer[];
  /** Whether a busy chat refused it at least once. */
  readonly isRefused: boolean;
  /** It may have been carried out although no answer shows it. */
  readonly isUnknown: boolean;
};

/** A chat before and after an outage. */
export type Conversation = {
  readonly first: Sent;
  readonly second: Sent;
  /** Sent last before the outage, with the slow prompt: its response may have been generating. */
  readonly last: Sent;
  /** Whether the last two, repeated before the outage, were the same. */
  readonly repeatable: boolean;
  readonly meanwhile: readonly Tried[];
  /** The first message after the outage, tried until the chat was free. */
  readonly next: Answer;
  /** The one sent right after that; undefined if none was sent. */
  readonly afterNext: Answer | undefined;
  /** The last two repeated after the outage. */
  readonly again: readonly { readonly sent: Sent; readonly answer: Answer }[];
  /** Whether one response at a time explains all of that. */
  readonly inTurn: Settled<void>;
  /** Whether the chat refused a second message after the outage; undefined if none was sent. Then only messages after it are judged. */
  readonly isRefusedAfter: boolean | undefined;
};

type Begun = Pick<Conversation, 'first' | 'second' | 'last' | 'repeatable'> & { readonly pace: Pace };

/** Whether messages name the one before them as their parent. */
export function namesParents({ first, second, last }: Conversation): boolean {
  return parentIn(second.answer, first) !== undefined || parentIn(last.answer, second) !== undefined;
}

/** When messages are sent during an outage, at the usual pace, and when the client of the first one disconnects, in milliseconds. */
const [sentAfterMs, leavesAfterMs] = [500, 2000];

export async function beginConversation(api: Api): Promise<Begun> {
  await givenKeyHeader(api);
  const pace = await givenPace(api);
  const chat = await givenChat(api);
  const first = await givenLast(api, chat);
  const second = await givenFinished(api, chat);
  const last = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
  let repeatable = true;
  for (const sent of [second, last]) repeatable = isSame(sent, await sendAgain(api, sent)) && repeatable;
  return { first, second, last, repeatable, pace };
}

type Draft = Pick<Sent, 'chat' | 'key' | 'text'>;
type Flight = { readonly draft: Draft; readonly answers: readonly Settled<Answer>[] };

/**
 * Sends messages as clients do, while the deployment may not answer. One client disconnects and sends its message again. At the
 * same instant, two others and a repetition are sent. The deployment may carry out each of them or not.
 */
export async function sendMeanwhile(api: Api, { last, pace }: Begun): Promise<readonly Flight[]> {
  const { chat } = last;
  const draft = (): Draft => ({ chat, key: api.freshKey(), text: api.session.target.assistant.slowPrompt });
  const [one, other, another] = [draft(), draft(), draft()];
  // A missing answer is no failure of the deployment now.
  const send = (what: Draft, outgoing = {}) =>
    settled(sendAgain(api, what, outgoing, { judged: false, patient: false }));
  await api.session.clock.sleep(meanwhile(pace, sentAfterMs));
  const left = await send(one, { leavesAfterMs });
  const [again, second, third] = await Promise.all([send(one), send(other), send(another), send(last)]);
  return [
    { draft: one, answers: [left, again] },
    { draft: other, answers: [second] },
    { draft: another, answers: [third] },
  ];
}

/** The next message is sent before the repetitions, because these are new messages if keys were lost. */
export async function endConversation(
  api: Api,
  begun: Begun,
  flights: readonly Flight[],
  { judgesAfter }: { readonly judgesAfter: boolean },
): Promise<Conversation> {
  const { clock, target } = api.session;
  const { quickPrompt, timeoutSeconds } = target.assistant;
  const { second, last, pace } = begun;
  const tried = [];
  for (const flight of flights) tried.push(await seenAfter(api, flight));
  const accepted = tried.flatMap(({ sent }) => sent ?? []);
  if (accepted.length > 0) await followToEnd(api, [last, ...accepted], pace);
  const untilMs = clock.now() + patienceMs(api.session, 'an idle chat', timeoutSeconds * 1000);
  const after = judgesAfter ? await sendTwo(api, begun, untilMs) : undefined;
  const draft = { message: quickPrompt, wait: quickPromptWait(api.session) };
  const next = after?.next ?? (await sendWhenFree(api, last.chat, draft, { untilMs }));
  const again = [];
  for (const sent of [second, last]) again.push({ sent, answer: await sendAgain(api, sent) });
  // A busy chat refused these. Each is held until its response has finished, so that it does not refuse the next one.
  const known = [];
  const wait = slowPromptWait(api.session);
  for (const one of tried) known.push(one.isUnknown ? await seenAfter(api, one.flight, { wait }) : one);
  const inTurn = after?.inTurn ?? (await inTurnIn(api, last.chat));
  return {
    ...begun,
    meanwhile: known,
    next,
    afterNext: after?.second,
    again,
    inTurn,
    isRefusedAfter: after?.isRefused,
  };
}

function inTurnIn(api: Api, chat: Chat): Promise<Settled<void>> {
  return settled(Promise.resolve().then(() => mustBeExplicable(api, chat, 'without 409')));
}

/** Sends the first message after an outage, and another one while its response is generating, and follows the response to its end. */
async function sendTwo(api: Api, { last: { chat }, pace }: Begun, untilMs: number) {
  const { clock, target } = api.session;
  const { slowPrompt, quickPrompt } = target.assistant;
  // What is still generating since before may be discarded.
  beginAttempts(api, chat, clock.now());
  const next = await sendWhenFree(api, chat, { message: slowPrompt }, { untilMs });
  const key = latestIn(api.session, chat)?.key;
  await clock.sleep(meanwhile(pace, sentAfterMs));
  const second = isSuccess(next) ? await send(api, chat, { message: quickPrompt }) : undefined;
  if (isSuccess(next) && key !== undefined) await followToEnd(api, [readSent(chat, key, slowPrompt, next)], pace);
  return { next, second, inTurn: await inTurnIn(api, chat), isRefused: second?.status === 409 };
}

/** What became of a message, which is sent again unless it was surely refused. */
async function seenAfter(
  api: Api,
  { draft, answers }: Flight,
  outgoing: { readonly wait?: number } = {},
): Promise<Tried & { readonly flight: Flight }> {
  const before = answers.flatMap((one) => (one.ok ? [one.value] : []));
  const isDoubtful = before.length < answers.length || before.some(({ status }) => status >= 500);
  const isRepeated = isDoubtful || before.some(isSuccess);
  const repeated = isRepeated ? [{ ok: true, value: await sendAgain(api, draft, outgoing) } as const] : [];
  const all = [...before, ...repeated.map(({ value }) => value)];
  const accepted = all.filter(isSuccess);
  const [first] = accepted;
  const sent = first === undefined ? undefined : readSent(draft.chat, draft.key, draft.text, first);
  const isRefused = all.some(({ status }) => status === 409);
  const flight = { draft, answers: [...answers, ...repeated] };
  return { flight, sent, accepted, isRefused, isUnknown: isDoubtful && sent === undefined };
}
