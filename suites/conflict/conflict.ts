import { must } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import {
  givenIdleChat,
  givenPair,
  makeIdle,
  givenSent,
  pairOf,
  tooFast,
  unlessRefused,
} from '../../stage/chats/conversation.ts';
import { sendWhenFree, quiet, send, sendAgain } from '../../stage/chats/sending.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';
import { givenPace } from '../../stage/chats/pace.ts';
import { quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { areAcceptedNext } from '../../stage/chats/next-messages.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustStayBusyAlone } from '../idempotency/lost-answer.ts';
import { conflictBody } from '../../promises/messages.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { mustBeIdleForAnother } from './another-admin.ts';
import { mustNotFailMeanwhile } from './failing-meanwhile.ts';
import { mustLetOneIn } from './let-one-in.ts';
import { mustRefuseWhileHeld, twice } from './one-at-a-time.ts';
import { mustLeaveNoTrace } from './no-trace.ts';
import { mustNotProlong, mustRefuseToTheEnd } from './prolonged.ts';
import { type AfterWait, givenAfterWait, seenAfterWait } from '../messages/after-wait.ts';
import { mustRefuseAfterWait } from './refused-after-wait.ts';
import { mustNotAcceptRefused } from './refused-late.ts';
import { mustNotStayBusy } from './stuck-chat.ts';
import { mustAcceptAgain } from './broken-chats.ts';
import { mustAcceptTogether } from './together.ts';

const uses = { uses: ['messages'] } as const;

/** A chat that refuses for this long after its last response, beyond the tolerance, is stuck, in milliseconds. */
const stuckMs = 2000;

/** Sections 3, 4.2 and 8: one response at a time. */
export const conflict: readonly Check[] = [
  check('conflict.refused', uses, mustRefuseWhileHeld),

  check('conflict.refused', { ...uses, variant: 'after-wait', extended: true }, mustRefuseAfterWait),

  check('conflict.refused', { ...uses, tries: 2, variant: 'lost-answer', extended: true }, mustStayBusyAlone),

  check('conflict.body', uses, async (api) => {
    const { slow, second } = await givenSample(api);
    if (slow.status === 200) throw new Blocked(tooFast);
    if (second.status !== 409) throw new Blocked(unlessRefused(second));
    mustKeep(conflictBody, second, second);
  }),

  check('conflict.race', uses, mustLetOneIn),

  check('conflict.no-trace', { ...uses, tries: 2 }, mustLeaveNoTrace),

  check('conflict.no-trace', { ...uses, tries: 2, variant: 'prolonged', extended: true }, mustNotProlong),

  check('conflict.other-chat', uses, async (api) => {
    const seen = await seenAfterWait(api);
    if (seen !== undefined && pairOf(api)(seen.chat, seen.second.chat) && areTogether(api, seen)) return;
    const [busy, free] = await givenPair(api, pairOf(api));
    await twice(api, () => mustBeFreeMeanwhile(api, busy, free));
  }),

  check('conflict.ends', uses, async (api) => {
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
  }),

  // A lock that the waiting request releases may never be released if the wait ends before the response.
  check('conflict.ends', { ...uses, variant: 'after-wait', extended: true }, async (api) => {
    const seen = await givenAfterWait(api);
    if (seen?.second.answer.status === 200) throw new Blocked(tooFast);
    if (seen?.finished.status === 200 && isSuccess(seen.free)) return;
    await givenPace(api);
    const chat = await givenIdleChat(api);
    const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt, { wait: 1 });
    if (sent.answer.status === 200) throw new Blocked(tooFast);
    const finished = await sendAgain(api, sent, { wait: slowPromptWait(api.session) });
    const untilMs = api.session.clock.now() + stuckMs + api.session.target.limits.toleranceMs;
    const next = await sendWhenFree(api, chat, quick(api), finished.status === 200 ? { untilMs } : {});
    const isStuck = finished.status === 200 && next.status === 409;
    must(!isStuck, 'the next message accepted after a finished response', summary(next), sent.answer, finished, next);
    if (!isSuccess(next)) throw new Blocked(`the chat accepts no message: ${summary(next)}`);
  }),

  // The lock may be that of the admin who used the chat last.
  check('conflict.ends', { ...uses, variant: 'another-admin', extended: true }, mustBeIdleForAnother),

  // Later, when other checks have sent such messages.
  check('conflict.other-chat', { ...uses, phase: 'later', variant: 'at-once', extended: true }, mustAcceptTogether),

  check('conflict.refused', { ...uses, phase: 'later', variant: 'to-the-end', extended: true }, mustRefuseToTheEnd),

  check('conflict.ends', { ...uses, phase: 'later', variant: 'at-last', extended: true }, mustNotStayBusy),

  // Any write or outage may break chats for good. Immune: no client may cause internal errors.
  check(
    'conflict.ends',
    { ...uses, phase: 'last', variant: 'without-errors', extended: true, isImmune: true },
    mustAcceptAgain,
  ),

  // Immune: the key of a message shows no message of another client.
  check(
    'conflict.no-trace',
    { ...uses, phase: 'later', variant: 'at-last', extended: true, isImmune: true },
    mustNotAcceptRefused,
  ),
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
  if (isOwnInternalError(answer)) await mustNotFailMeanwhile(api, busy, free, answer);
  if (!isSuccess(answer)) throw new Blocked(`the other chat accepts no message: ${summary(answer)}`);
  const probe = await send(api, busy, message);
  if (probe.status !== 409 && answer.elapsedMs < 1000) throw new Blocked(unlessRefused(probe));
}

function quick(api: Api): { readonly message: string; readonly wait: number } {
  return { message: api.session.target.assistant.quickPrompt, wait: quickPromptWait(api.session) };
}

/** A chat that a check gave up on is the proof if its last response had finished. */
function mustNotBeStuck(api: Api): void {
  for (const { chat, finished, refused } of api.session.chats.stuck()) {
    const seconds = Math.round((refused.exchange.receivedAt - finished.exchange.receivedAt) / 1000);
    const actual = `409 from chat ${chat.chatId} still ${seconds} s later`;
    must(false, 'the next message accepted after a finished response', actual, finished, refused);
  }
}
