import { must, mustNotSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenChat, givenSent, tooFast, unlessRefused } from '../../stage/chats/conversation.ts';
import { promptedIn, quiet, send, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';
import { answeredInTime } from '../../engine/answered-in-time.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { givenAccepted, givenSample } from '../../stage/chats/message-sample.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { describe } from '../../core/text.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { areAcceptedNext } from '../../stage/chats/next-messages.ts';
import { givenLast } from '../../stage/chats/thread.ts';
import { unknownId } from '../../stage/lists/unknown-id.ts';
import { Blocked, Late } from '../../engine/verdict.ts';
import { acceptedMessagePromises, chatCreatedOnce, okIsFinished } from '../../promises/messages.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { givenRepeatedMeanwhile } from '../idempotency/repeated-meanwhile.ts';
import { givenAfterWait, seenAfterWait } from './after-wait.ts';
import { distinctIds } from './distinct-ids.ts';
import { ms } from './must-hold.ts';
import { mustNotHoldUnasked } from './held-unasked.ts';
import { givenAccepting, givenTwin } from './refused-message.ts';
import { acceptedUnusual, oddContentType } from './unusual-messages.ts';

const uses = { uses: ['messages'] } as const;
const timed = { uses: ['messages'], tries: 3 } as const;

/** Sections 2.3, 2.4 and 4.2: the answer to an accepted message. */
export const messages: readonly Check[] = [
  // Immune: other traffic does not change the shape of an answer.
  ...acceptedMessagePromises.map((promise) =>
    check(promise.requirement, { ...uses, isImmune: true }, async (api) => {
      const spoke = (await givenAccepted(api)).map((answer) => mustKeep(promise, answer, answer));
      if (!spoke.includes(true))
        throw new Blocked(
          'no answer shows the fields that this check compares in a form that can be read; they are optional',
        );
    }),
  ),

  ...distinctIds,

  check('messages.accepted-is-generating', uses, async (api) => {
    const { quick, quickWait, slow, slowAtOnce, second, last } = await givenSample(api);
    // If a 202 comes before the wait is over and the chat accepts the next message, the response had finished.
    const early = quick.elapsedMs < quickWait * 1000 - api.session.target.limits.toleranceMs;
    const isFinished = quick.status === 202 && early && slowAtOnce && isSuccess(slow);
    must(!isFinished, '200 for a finished response', '202, although the chat accepted the next message', quick, slow);
    if (slow.status === 200) throw new Blocked(tooFast);
    if (slow.status !== 202) throw new Blocked(`the slow prompt was answered ${summary(slow)}`);
    if (second.status !== 409) throw new Blocked(unlessRefused(second));
    const evidence = [slow, second] as const;
    for (const finished of [quick, last]) mustDifferInStatus(slow, finished, evidence);
  }),

  // The end of the wait may be stored as the end of the response.
  check('messages.accepted-is-generating', { ...uses, variant: 'after-wait', extended: true }, async (api) => {
    const seen = await givenAfterWait(api);
    if (seen?.next?.status !== 409) throw new Blocked('no response was shown to go on after its wait had ended');
    const { second, next, finished } = seen;
    mustDifferInStatus(second.answer, finished, [second.answer, next]);
  }),

  // A repetition may be answered from another copy of the message.
  check('messages.accepted-is-generating', { ...uses, variant: 'repeated', extended: true }, async (api) => {
    const { again, next } = await givenRepeatedMeanwhile(api);
    if (next.status !== 409) throw new Blocked(unlessRefused(next));
    const { quick } = await givenSample(api);
    for (const answer of again) mustDifferInStatus(answer, quick, [answer, next]);
  }),

  check('messages.ok-is-finished', uses, async (api) => {
    const { slow } = await givenSample(api);
    for (const answer of await givenAccepted(api)) mustKeep(okIsFinished, answer, answer);
    const seen = await seenAfterWait(api);
    const isFree = areAcceptedNext(api.session, 1);
    if (isFree && slow.status === 202 && seen?.again?.status === 202) return;
    const chat = await givenChat(api);
    if (!isFree) await mustBeFreeAfter(api, chat, (await givenLast(api, chat)).answer);
    // A slow prompt answered 200 at once is either very fast or not finished.
    if (slow.status !== 200) return mustRepeatAsGenerating(api, chat);
    const again = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
    if (again.answer.status === 200) await mustBeFreeAfter(api, chat, again.answer);
  }),

  // The end of the wait may be reported as the end of the response.
  check('messages.ok-is-finished', { ...uses, variant: 'after-wait', extended: true }, async (api) => {
    const seen = await givenAfterWait(api);
    if (seen !== undefined && (seen.second.answer.status === 202 || isSuccess(seen.free))) return;
    const chat = await givenChat(api);
    const { answer } = await givenSent(api, chat, api.session.target.assistant.slowPrompt, { wait: 1 });
    if (answer.status === 200) await mustBeFreeAfter(api, chat, answer);
  }),

  // Immune: another client does not make an answer wait for a response.
  check('messages.immediate', { ...timed, isImmune: true }, async (api) => {
    const allowanceMs = await givenAllowanceMs(api);
    // The sample shows the same; only where it is late other messages decide.
    const sample = await unlessBlocked(() => givenSample(api));
    const atOnce = [sample?.slow, sample?.second].filter((answer) => answer?.status === 202 || answer?.status === 409);
    if (atOnce.length === 2 && atOnce.every((answer) => answer !== undefined && answer.elapsedMs <= allowanceMs))
      return;
    const chat = await givenChat(api);
    const promised = `an answer at once, within ${ms(allowanceMs)}`;
    const { slowPrompt } = api.session.target.assistant;
    const { answer } = await answeredInTime(promised, () => givenSent(api, chat, slowPrompt));
    must(answer.elapsedMs <= allowanceMs, promised, ms(answer.elapsedMs), answer);
    // A refusal must not be late either.
    const second = await send(api, chat, { message: api.session.target.assistant.quickPrompt });
    const isAtOnce = second.elapsedMs <= allowanceMs;
    must(isAtOnce, promised, ms(second.elapsedMs), answer, second);
    if (answer.status === 200) throw new Blocked(tooFast);
  }),

  // A part of the deployment may hold requests, such as one node. Immune as the check above.
  check(
    'messages.immediate',
    { ...uses, phase: 'later', variant: 'at-last', extended: true, isImmune: true },
    mustNotHoldUnasked,
  ),

  check('message.content-type', uses, async (api) => {
    if ((await acceptedUnusual(api, 'a content type')) !== undefined) return;
    const chat = await givenChat(api);
    const draft = { message: api.session.target.assistant.quickPrompt, wait: quickPromptWait(api.session) };
    const answer = await sendWhenFree(api, chat, { ...draft, contentType: oddContentType });
    if (isSuccess(answer)) return;
    const inSmall = await sendWhenFree(api, chat, { ...draft, contentType: oddContentType.toLowerCase() });
    const twin = await givenTwin(api, chat);
    must(false, `2xx with the content type ${oddContentType}`, summary(answer), answer, inSmall, twin);
  }),

  // Late, so that all chats of the run got several messages.
  check('messages.chat-created-once', { ...uses, phase: 'last' }, async (api) => {
    await givenAccepted(api);
    if (mustKeep(chatCreatedOnce, promptedIn(api.session))) return;
    throw new Blocked('no chat shows a createdAt that is the same in two answers, or whose instant is clear');
  }),

  check('messages.unknown-chat', uses, async (api) => {
    const chat = await givenChat(api);
    const nowhere = { organizationId: chat.organizationId, chatId: unknownId(api, chat.chatId) };
    const message = api.session.target.assistant.quickPrompt;
    // A chat that does not exist cannot be busy: a 409 may come from another chat that is used in its place.
    let answer: Answer | undefined;
    for (const pauseMs of [0, 500, 2000, 6000]) {
      await api.session.clock.sleep(pauseMs);
      answer = await api.sendMessage(as(chat.admin), nowhere, { message, key: api.freshKey() });
      mustNotSucceed(answer, 'for a chat that does not exist');
      if (answer.status !== 409) break;
    }
    if (answer?.status === 409) mayBeAnother(api, answer);
    await givenAccepting(api, chat);
  }),
];

/** Other checks may keep the chat busy that is used in place of the unknown one. */
function mayBeAnother({ attempt }: Api, busy: Answer): never {
  const actual = 'only 409 to messages to a chat that does not exist';
  if (attempt > 1) throw new Blocked(`got ${actual}`);
  throw new Late('a refusal of a chat that does not exist', actual, [busy.exchange]);
}

/** After a grace period, the chat must accept the next message. */
async function mustBeFreeAfter(api: Api, chat: Chat, done: Answer): Promise<void> {
  if (done.status !== 200) throw new Blocked('no response finished within its wait: nothing was answered 200');
  await quiet(api, chat);
  const { quickPrompt } = api.session.target.assistant;
  const next = await send(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
  must(next.status !== 409, 'the chat free after 200', summary(next), done, next);
}

/** A repetition answered 200 says that the response has finished, whatever the first answer was. */
async function mustRepeatAsGenerating(api: Api, chat: Chat): Promise<void> {
  if (!(await keysWork(api))) return;
  const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
  const again = sent.answer.status === 202 ? await sendAgain(api, sent) : undefined;
  if (again?.status !== 200) return;
  await api.session.clock.sleep(api.session.target.limits.toleranceMs);
  await mustBeFreeAfter(api, chat, again);
}

/** What a 202 shows of a response that goes on is not what a 200 shows. That 200 does not say generating is for messages.ok-is-finished. */
function mustDifferInStatus(accepted: Answer, finished: Answer, evidence: readonly Answer[]): void {
  const [shown, complete] = [accepted, finished].map(({ json }) =>
    stringAt(json, 'data', 'assistantMessage', 'status'),
  );
  if (accepted.status !== 202 || finished.status !== 200) return;
  if (shown === undefined || complete === undefined || complete === 'generating') return;
  const differs = `another status with 202 than with 200, ${describe(complete)}`;
  must(shown !== complete, differs, describe(shown), ...evidence, finished);
}
