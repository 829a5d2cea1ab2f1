import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { mustBeExplicable } from '../../stage/chats/chat-attempts.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import {
  givenChat,
  givenFirstSent,
  givenIdleChat,
  givenPair,
  makeIdle,
  givenSent,
  pairOf,
  tooFast,
} from '../../stage/chats/conversation.ts';
import { loseTrack, sendWhenFree, quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';
import { followToEnd, givenPace, meanwhile, type Pace } from '../../stage/chats/pace.ts';
import { firstWait, longestWait } from '../../engine/session/patience.ts';
import { areAcceptedNext } from '../../stage/chats/next-messages.ts';
import { givenThread, parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustNotEndRunning } from './ended-early.ts';
import { mustStayBusyAlone } from '../idempotency/lost-answer.ts';
import { conflictBody } from '../../promises/messages.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { mustLetOneIn, mustRefuseWhileHeld, twice } from './one-at-a-time.ts';
import { mustNotProlong, mustRefuseToTheEnd } from './prolonged.ts';
import { type AfterWait, givenAfterWait, seenAfterWait } from '../messages/after-wait.ts';
import { mustBeAnother } from '../messages/same-messages.ts';
import { mustNotStayBusy } from './stuck-chat.ts';

const uses = { uses: ['messages'] } as const;

/** The next message is sent this many milliseconds later, at the usual pace, while the response is generating. */
const meanwhileMs = 300;

/** A chat that refuses for this long after its last response, beyond the tolerance, is stuck, in milliseconds. */
const stuckMs = 2000;

const textOfUser = ['data', 'userMessage', 'text'] as const;

/** Sections 3, 4.2 and 8: one response at a time. */
export const conflict: readonly Check[] = [
  check('conflict.refused', mustRefuseWhileHeld, uses),

  // The lock may belong to the waiting request and end with it.
  check(
    'conflict.refused',
    async (api) => {
      if (!(await keysWork(api)))
        throw new Blocked('the deployment accepts no idempotency key, so a running response cannot be observed');
      const seen = await givenAfterWait(api);
      if (seen !== undefined) {
        if (seen.violation !== undefined) throw seen.violation;
        if (seen.next?.status === 409) return;
        throw new Blocked(tooFast);
      }
      const pace = await givenPace(api);
      // The lock may be part of what the first response of a chat leaves behind.
      const sent = await givenFirstSent(api, api.session.target.assistant.slowPrompt, { wait: 1 });
      const { chat } = sent;
      const next = await send(api, chat, { message: api.session.target.assistant.quickPrompt });
      // The response must be shown running for longer than an answer may be late.
      if (isSuccess(next)) await followToEnd(api, [sent], pace);
      await sendAgain(api, sent, { wait: longestWait(api.session) });
      mustBeExplicable(api, chat);
      if (sent.answer.status !== 202 || next.status !== 409) throw new Blocked(tooFast);
    },
    { ...uses, variant: 'after-wait', extended: true },
  ),

  check('conflict.refused', mustStayBusyAlone, { ...uses, tries: 2, variant: 'lost-answer', extended: true }),

  check(
    'conflict.body',
    async (api) => {
      const { slow, second } = await givenSample(api);
      if (slow.status === 200) throw new Blocked(tooFast);
      if (second.status !== 409)
        throw new Blocked(`the second message was answered ${summary(second)} instead of 409: ${tooFast}`);
      mustKeep(conflictBody, second, second);
    },
    uses,
  ),

  check('conflict.race', mustLetOneIn, uses),

  check('conflict.no-trace', mustLeaveNoTrace, { ...uses, tries: 2 }),

  check('conflict.no-trace', mustNotProlong, { ...uses, tries: 2, variant: 'prolonged', extended: true }),

  check(
    'conflict.other-chat',
    async (api) => {
      const seen = await seenAfterWait(api);
      if (seen !== undefined && pairOf(api)(seen.chat, seen.second.chat) && areTogether(api, seen)) return;
      const [busy, free] = await givenPair(api, pairOf(api));
      await twice(api, () => mustBeFreeMeanwhile(api, busy, free));
    },
    uses,
  ),

  check(
    'conflict.ends',
    async (api) => {
      mustNotBeStuck(api);
      if (areAcceptedNext(api.session, 2)) return;
      const chat = await givenIdleChat(api).catch((error: unknown) => {
        mustNotBeStuck(api);
        throw error;
      });
      for (let count = 0; count < 2; count += 1) {
        const before = api.session.chats.standing(chat);
        if (before.finished === undefined) throw new Blocked('no response finished within its wait');
        await quiet(api, chat);
        const answer = await send(api, chat, quick(api));
        const expected = 'the next message accepted after a finished response';
        must(answer.status !== 409, expected, summary(answer), before.finished, answer);
        if (!isSuccess(answer)) throw new Blocked(`the chat accepts no message: ${summary(answer)}`);
      }
    },
    uses,
  ),

  // A lock that the waiting request releases may never be released if the wait ends before the response.
  check(
    'conflict.ends',
    async (api) => {
      const seen = await givenAfterWait(api);
      if (seen?.second.answer.status === 200) throw new Blocked(tooFast);
      if (seen?.finished.status === 200 && isSuccess(seen.free)) return;
      await givenPace(api);
      const chat = await givenIdleChat(api);
      const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt, { wait: 1 });
      if (sent.answer.status === 200) throw new Blocked(tooFast);
      const finished = await sendAgain(api, sent, { wait: longestWait(api.session) });
      const untilMs = api.session.clock.now() + stuckMs + api.session.target.limits.toleranceMs;
      const next = await sendWhenFree(api, chat, quick(api), finished.status === 200 ? { untilMs } : {});
      const isStuck = finished.status === 200 && next.status === 409;
      must(!isStuck, 'the next message accepted after a finished response', summary(next), sent.answer, finished, next);
      if (!isSuccess(next)) throw new Blocked(`the chat accepts no message: ${summary(next)}`);
    },
    { ...uses, variant: 'after-wait', extended: true },
  ),

  check('conflict.refused', mustRefuseToTheEnd, { ...uses, phase: 'later', variant: 'to-the-end', extended: true }),

  check('conflict.ends', mustNotStayBusy, { ...uses, phase: 'later', variant: 'at-last', extended: true }),
];

/** Whether the response to the first message was still generating when the other was sent, which was accepted. */
function areTogether({ session }: Api, { first, second }: AfterWait): boolean {
  const laterMs = second.answer.exchange.sentAt - first.exchange.sentAt;
  return laterMs > 0 && first.elapsedMs > laterMs + session.target.limits.toleranceMs;
}

/** While one chat is generating, the other must accept a message. */
async function mustBeFreeMeanwhile(api: Api, busy: Chat, free: Chat): Promise<void> {
  await makeIdle(api, free);
  await quiet(api, free);
  const generating = await sendWhenFree(api, busy, { message: api.session.target.assistant.slowPrompt });
  if (generating.status !== 202) throw new Blocked(generating.status === 200 ? tooFast : summary(generating));
  // Without wait, so that the first response is still generating when its chat is asked.
  const message = { message: api.session.target.assistant.quickPrompt };
  const answer = await send(api, free, message);
  must(answer.status !== 409, '2xx while another chat is generating', summary(answer), generating, answer);
  if (!isSuccess(answer)) throw new Blocked(`the other chat accepts no message: ${summary(answer)}`);
  const probe = await send(api, busy, message);
  if (probe.status !== 409 && answer.elapsedMs < 1000) throw new Blocked(tooFast);
}

function quick(api: Api): { readonly message: string; readonly wait: number } {
  return { message: api.session.target.assistant.quickPrompt, wait: firstWait(api.session) };
}

/** A chat that a check gave up on is the proof if its last response had finished. */
function mustNotBeStuck(api: Api): void {
  for (const { chat, finished, refused } of api.session.chats.stuck()) {
    const seconds = Math.round((refused.exchange.receivedAt - finished.exchange.receivedAt) / 1000);
    const actual = `409 from chat ${chat.chatId} still ${seconds} s later`;
    must(false, 'the next message accepted after a finished response', actual, finished, refused);
  }
}

/** A refused message is not answered later, and the next message does not have it as its parent. */
async function mustLeaveNoTrace(api: Api): Promise<void> {
  const keys = await keysWork(api);
  const pace = await givenPace(api);
  const chat = await givenChat(api);
  await twice(api, () => mustLeaveNoTraceIn(api, chat, pace, keys));
}

async function mustLeaveNoTraceIn(api: Api, chat: Chat, pace: Pace, keys: boolean): Promise<void> {
  const { clock, target } = api.session;
  const { quickPrompt, slowPrompt } = target.assistant;
  const { usual } = await givenThread(api, chat);
  await quiet(api, chat);
  let key = '';
  async function refuse(): Promise<readonly Answer[]> {
    await clock.sleep(meanwhile(pace, meanwhileMs));
    const slow = await send(api, chat, { message: slowPrompt, wait: 1 });
    return [slow, await send(api, chat, { message: quickPrompt, keyOf: (fresh) => (key = fresh) })];
  }
  const held = givenSent(api, chat, slowPrompt, { wait: longestWait(api.session) });
  const [sent, refused] = await during(held, refuse());
  const [first] = refused;
  const judgeEnd = async () => {
    if (first?.status === 409) await mustNotEndRunning(api, chat, pace, sent.answer, refused);
  };
  if (refused.some(isSuccess)) {
    loseTrack(api, chat);
    await judgeEnd();
    throw new Blocked(`a second message was accepted; the first response may have been finished: ${tooFast}`);
  }
  const odd = refused.find(({ status }) => status !== 409);
  if (odd !== undefined)
    throw new Blocked(`a second message was answered ${summary(odd)}: conflict.refused judges that`);
  if (sent.answer.status !== 200) throw new Blocked('the response took longer than assistant.timeoutSeconds');
  const kept = slowPrompt === quickPrompt || stringAt(sent.answer.json, ...textOfUser) !== quickPrompt;
  must(
    kept,
    'the answer to show the text of its own message',
    'the text of the refused message',
    ...refused,
    sent.answer,
  );
  api.session.chats.markFinished(chat, sent.answer);
  await quiet(api, chat);
  const next = await send(api, chat, quick(api));
  const evidence = [...refused, sent.answer, next];
  must(next.status !== 409, 'the chat idle after the response', summary(next), ...evidence);
  if (!isSuccess(next)) throw new Blocked(`the next message was refused: ${summary(next)}`);
  const holds = usual === undefined || parentIn(next, sent) === usual;
  must(holds, 'a parentId that names the last accepted message', 'another parentId', ...evidence);
  if (keys) await mustNotJoin(api, chat, sent, key);
  // At the end, because it sends messages of its own.
  await judgeEnd();
}

/** The specification does not say whether the key of a refused message may be reused; it must not give the running message. */
async function mustNotJoin(api: Api, chat: Chat, inTheWay: Sent, key: string): Promise<void> {
  await quiet(api, chat);
  const { message, wait } = quick(api);
  const answer = await sendAgain(api, { chat, key, text: message }, { wait });
  const given = isSuccess(answer) ? 'it can' : 'it cannot';
  api.session.observe('idempotency.after-conflict', `${given}: ${summary(answer)}`, answer.exchange);
  mustBeAnother(inTheWay, answer, 'for the key of a message refused with 409');
  // From now on the key is that of an accepted message, which idempotency.after/at-last judges.
  if (isSuccess(answer)) await sendAgain(api, { chat, key, text: message }, { wait });
}
