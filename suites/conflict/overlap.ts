import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { atOnce } from '../../engine/at-once.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenSent, readSent } from '../../stage/chats/conversation.ts';
import { loseTrack, send, sendAgain, type Sent, unkeyed } from '../../stage/chats/sending.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { followToEnd, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Late, Violation } from '../../engine/verdict.ts';
import { becomeQuiet } from './ended-early.ts';

/** Messages sent to one chat at the same instant. */
const racing = 8;
/** Rounds that must all show responses at the same time: several, because response times vary. */
const rounds = 3;
/** By how much responses may be quicker than undisturbed ones. */
const timesQuicker = 1.5;
/** How long after their acceptance responses are checked, in milliseconds: for an assistant of average pace, and the minimum. */
const [looksAfterMs, leastLookMs] = [750, 50];

/** How another message meets a generating response. */
export type Meeting = 'at the same instant' | 'right after' | 'right after, without a key';

/**
 * For an assistant that is too quick for a single answer to prove that two responses overlapped: a violation if they overlap
 * in every round, by their times or by what repetitions of their requests show. Otherwise returns.
 */
export async function mustNotOverlap(api: Api, chat: Chat, pace: Pace, meeting: Meeting): Promise<void> {
  if (pace.answer?.status !== 200) return;
  if (await keysWork(api)) await mustNotShowTwo(api, chat, pace, meeting);
  if (meeting !== 'right after, without a key') await mustTakeTurns(api, chat);
}

/** Another message is answered otherwise than with 409 while repetitions show a response in progress, which finishes later. */
async function mustNotShowTwo(api: Api, chat: Chat, pace: Pace, meeting: Meeting): Promise<void> {
  const allowanceMs = await givenAllowanceMs(api);
  const others: Answer[] = [];
  const shown: Answer[] = [];
  let anyLate = false;
  for (let round = 0; round < rounds; round += 1) {
    await becomeQuiet(api, chat);
    const { first, other } = await meet(api, chat, meeting);
    const [earliest] = first;
    if (other === undefined || earliest === undefined || saysNothing(other, meeting)) return;
    // It may have waited until the response had finished; a network delays one message, but not all.
    const isLate = isSuccess(other) && other.elapsedMs > earliest.answer.elapsedMs + allowanceMs;
    anyLate ||= isLate;
    const running = isLate ? [] : await stillRunning(api, first, pace);
    if (!isLate && running.length < first.length) return;
    others.push(other);
    shown.push(...first.map(({ answer }) => answer), other, ...running);
  }
  const seen = [...new Set(others.map(summary))].join(', ');
  const evidence = shown.map(({ exchange }) => exchange);
  const actual = `${seen}, ${rounds} of ${rounds} times`;
  throw new (anyLate ? Late : Violation)('409 while a response is generating', actual, evidence);
}

/** Whether the answer does not show how the deployment treats a message to a busy chat. */
function saysNothing(other: Answer, meeting: Meeting): boolean {
  if (isSuccess(other)) return false;
  // The deployment may require a key; an overload, a rate limit or a gateway answers before the deployment.
  return meeting === 'right after, without a key' || [409, 429].includes(other.status) || isGateways(other);
}

/** The repetitions that show a response in progress, some time after another message was answered. */
async function stillRunning(api: Api, first: readonly Sent[], pace: Pace): Promise<readonly Answer[]> {
  await api.session.clock.sleep(Math.max(leastLookMs, meanwhile(pace, looksAfterMs)));
  const looks = await Promise.all(
    first.map(async (sent) => ({ sent, again: await sendAgain(api, sent, { wait: undefined }) })),
  );
  // Repetitions show the state only if they change.
  const ended = await followToEnd(api, first, pace);
  return looks.filter(({ sent, again }) => again.status === 202 && ended.includes(sent)).map(({ again }) => again);
}

type Met = {
  /** The messages whose responses must still be in progress after the other message was answered. */
  readonly first: readonly Sent[];
  /** The answer to another message at that time; undefined if there was none. */
  readonly other: Answer | undefined;
};

async function meet(api: Api, chat: Chat, meeting: Meeting): Promise<Met> {
  const text = api.session.target.assistant.slowPrompt;
  if (meeting === 'at the same instant') {
    const first = (await race(api, chat, undefined)).slice(0, 2);
    return { first, other: first[1]?.answer };
  }
  const first = await givenSent(api, chat, text);
  const draft = meeting === 'right after' ? { message: text } : { message: text, ...unkeyed };
  return { first: [first], other: await send(api, chat, draft, { patient: false }) };
}

/** Many responses together take less time than each of them alone. */
async function mustTakeTurns(api: Api, chat: Chat): Promise<void> {
  const allowanceMs = await givenAllowanceMs(api);
  const wait = slowPromptWait(api.session);
  const shown: Answer[] = [];
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    await becomeQuiet(api, chat);
    const { answer: alone } = await givenSent(api, chat, api.session.target.assistant.slowPrompt, { wait });
    if (alone.status !== 200) return;
    // A held request may be answered later than the response has finished.
    leastMs = Math.min(leastMs, alone.elapsedMs - allowanceMs);
    await becomeQuiet(api, chat);
    const answers = (await race(api, chat, wait)).map(({ answer }) => answer);
    // Where any was refused, a response to the others may just have been quick.
    if (answers.length < racing || answers.some(({ status }) => status !== 200)) return;
    const tookMs = Math.max(...answers.map(({ elapsedMs }) => elapsedMs));
    if (timesQuicker * tookMs >= answers.length * leastMs) return;
    shown.push(alone, ...answers.slice(0, 2));
  }
  const actual = `${racing} messages at the same instant answered in the time of one, ${rounds} of ${rounds} times`;
  must(false, '409 while a response is generating', actual, ...shown);
}

/** The accepted ones of several messages that are sent at the same instant. */
async function race(api: Api, chat: Chat, wait: number | undefined): Promise<readonly Sent[]> {
  const text = api.session.target.assistant.slowPrompt;
  const answers = await atOnce(racing, async (_index, gate) => {
    const key = api.freshKey();
    return { key, answer: await send(api, chat, { message: text, wait, keyOf: () => key }, { gate }) };
  });
  loseTrack(api, chat);
  return answers.flatMap(({ key, answer }) => (isSuccess(answer) ? [readSent(chat, key, text, answer)] : []));
}
