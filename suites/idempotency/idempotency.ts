import { must } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Api } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenFromAnother } from '../../stage/chats/another-admin.ts';
import {
  givenFinished,
  givenGenerating,
  givenChat,
  givenSent,
  tooFast,
  unlessRefused,
} from '../../stage/chats/conversation.ts';
import { quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { shared } from '../../engine/fixture.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { durationsOf, unrepeatedIn } from '../../stage/chats/latest-message.ts';
import { longText, maxCharacters } from '../../stage/chats/long-messages.ts';
import { givenPace, meanwhile } from '../../stage/chats/pace.ts';
import {
  isHeldInFull,
  maximumWaitOnceSeen,
  quickPromptWait,
  slowPromptWait,
} from '../../engine/session/waits/choose-wait.ts';
import { mustNotBranch, parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustBeKept } from '../shared/must-keep.ts';
import { mustBeyondDoubt } from '../shared/only-with-cause.ts';
import { repetitionsOf } from '../../engine/session/repetitions.ts';
import { mustNotBeDueToRepetition } from './due-to-repetition.ts';
import { givenRepeatedMeanwhile } from './repeated-meanwhile.ts';
import { mustAnswerBothHeld, mustRepeatHeld } from './held-twice.ts';
import { mustRepeatLost } from './lost-answer.ts';
import { mustRepeat, mustRepeatOldest } from './must-repeat.ts';
import { mustMakeOneMessage } from './one-message.ts';
import { givenAfterWait } from '../messages/after-wait.ts';
import { isSame, mustBeSame } from '../messages/same-messages.ts';

const uses = { uses: ['messages'] } as const;
const atLast = { ...uses, phase: 'later', variant: 'at-last', extended: true } as const;

/** A message is repeated after this many milliseconds at the usual pace, while another response is generating. */
const meanwhileMs = 300;
/** A response to the quick prompt takes about this long, in milliseconds, as long as none was seen. */
const quickMs = 1500;
/** A deployment that keeps keys only briefly has forgotten one this many milliseconds after its answer. */
const momentMs = 10_000;

/** Sections 4.2 and 8: what one key does. */
export const idempotency: readonly Check[] = [
  check('idempotency.while-generating', uses, async (api) => {
    const { sent, again } = await givenRepeatedMeanwhile(api);
    for (const answer of again) mustBeSame(sent, answer, 'while the assistant responds');
  }),

  // A deployment that stores the key together with the final answer may not store it when the wait runs out.
  check('idempotency.while-generating', { ...uses, variant: 'after-wait', extended: true }, async (api) => {
    await givenKeyHeader(api);
    const { second, next, again: seen } = (await givenAfterWait(api)) ?? {};
    if (second?.answer.status === 200) throw new Blocked(tooFast);
    // A next message that is accepted shows that the response had finished.
    if (second !== undefined && seen !== undefined && next?.status === 409 && isSame(second, seen)) return;
    const sent = await givenGenerating(api, await givenChat(api), { wait: 1 });
    mustBeSame(sent, await sendAgain(api, sent), 'after its wait was over');
  }),

  // A deployment may store the key only when the request is answered.
  check('idempotency.while-generating', { ...uses, tries: 2, variant: 'held', extended: true }, mustRepeatHeld),

  check('idempotency.after', uses, async (api) => {
    const { sent } = await givenFinishedOnce(api);
    await mustRepeat(api, sent, 'after the assistant finished');
    await observeOtherBody(api, sent);
  }),

  // Keys may be stored for the admin who began the chat.
  check('idempotency.after', { ...uses, variant: 'another-admin', extended: true }, async (api) => {
    await givenKeyHeader(api);
    const { caller, answer, repeated } = await givenFromAnother(api);
    if (answer.status === 409) throw new Blocked(`the chat is busy: ${summary(answer)}`);
    if (!isSuccess(answer))
      throw new Blocked(`${caller.name}, another admin, may not use the chat: ${summary(answer)}`);
    if (repeated === undefined) throw new Blocked('keys do not work, or the response did not finish within its wait');
    const from = `from ${caller.name}, another admin than the one who uses the chat`;
    mustBeSame(repeated.sent, repeated.again, from);
  }),

  // A stale replica or one of many processes may forget a key now and then, so all repetitions of the run are judged. Immune: where
  // a response gets another ID when it ends, the next message seems to follow one of another client.
  check('idempotency.after', { ...atLast, isImmune: true }, async (api) => {
    await givenFinishedOnce(api);
    for (const sent of unrepeatedIn(api.session)) await sendAgain(api, sent);
    const { count, judgement } = repetitionsOf(api.session);
    mustBeKept(judgement, `for each of ${count} repeated requests`);
  }),

  check('idempotency.later', uses, async (api) => {
    await givenKeyHeader(api);
    await givenPace(api);
    const chat = await givenChat(api);
    // The key store may truncate texts that the chat stores in full, and may not store emoji.
    const long = `${longText(api, 'é', maxCharacters - 2)}🙂`;
    const first = await givenFinished(api, chat, { text: long });
    const second = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
    await mustRepeat(api, first, 'after another message, while its response is generating');
    await sendAgain(api, second, { wait: slowPromptWait(api.session) });
    mustBeSame(first, await sendAgain(api, first), 'after another message');
    const again = await mustRepeat(api, second, 'after another repetition');
    const form = again.status === second.answer.status ? 'the original answer' : 'the current state';
    api.session.observe('idempotency.replay-form', form, again.exchange);
  }),

  check('idempotency.later', atLast, async (api) => {
    const { sent, isKnown } = await givenFinishedOnce(api);
    if (!isKnown) throw new Blocked('the key was forgotten immediately: idempotency.after judges that');
    await api.session.clock.sleep(sent.answer.exchange.receivedAt + momentMs - api.session.clock.now());
    await mustRepeat(api, sent, 'at the end of the run');
    await mustRepeatOldest(api);
  }),

  check('idempotency.no-duplicate', { ...uses, tries: 2 }, async (api) => {
    await givenKeyHeader(api);
    const pace = await givenPace(api);
    const chat = await givenChat(api);
    const { slowPrompt, quickPrompt } = api.session.target.assistant;
    // A repetition with wait may start a response and wait for it; one without wait cannot.
    const before = await givenSent(api, chat, quickPrompt);
    // The next message is then accepted at once.
    const { count, mostMs } = durationsOf(api.session, quickPrompt);
    await api.session.clock.sleep(
      count > 0 && !isHeldInFull(api.session) ? mostMs + meanwhileMs : Math.min(pace.responseMs, quickMs),
    );
    const repeatMeanwhile = async () => {
      await api.session.clock.sleep(meanwhile(pace, meanwhileMs));
      await sendAgain(api, before);
    };
    const finished = givenFinished(api, chat, { text: slowPrompt, wait: maximumWaitOnceSeen(api.session) });
    const [sent] = await during(finished, repeatMeanwhile());
    const usual = parentIn(sent.answer, before);
    await quiet(api, chat);
    const again = await sendAgain(api, sent);
    if (!isSuccess(again)) throw new Blocked(`the repetition was refused: ${summary(again)}`);
    // The message repeated last is not the one sent last.
    const older = await sendAgain(api, before);
    if (!isSame(before, older)) throw new Blocked(`an older message, when repeated, was answered ${summary(older)}`);
    const next = await send(api, chat, { message: quickPrompt, wait: quickPromptWait(api.session) });
    if (next.status !== 409 && !isSuccess(next)) throw new Blocked(`the next message was refused: ${summary(next)}`);
    const isIdle = next.status !== 409;
    const shown = [sent.answer, again, next];
    mustBeyondDoubt(isIdle, 'the chat still idle after the repetition', summary(next), shown, () =>
      mustNotBeDueToRepetition(api, chat),
    );
    const holds = usual === undefined || sent.answer.status !== 200 || parentIn(next, sent) === usual;
    if (!holds) mustNotBranch(api, next, sent.answer);
    must(holds, 'a parentId that names the repeated message', 'another parentId', sent.answer, again, next);
  }),

  check('idempotency.no-duplicate', { ...uses, variant: 'while-generating', extended: true }, async (api) => {
    const { next, violation } = await givenRepeatedMeanwhile(api);
    if (next.status === 409) return;
    if (violation !== undefined) throw violation;
    throw new Blocked(unlessRefused(next));
  }),

  check('idempotency.no-duplicate', { ...uses, tries: 2, variant: 'lost-answer', extended: true }, mustRepeatLost),

  check('wait.finishes', { ...uses, tries: 3, variant: 'repeated', extended: true, isImmune: true }, async (api) => {
    await givenKeyHeader(api);
    const allowanceMs = await givenAllowanceMs(api);
    const { sent } = await givenFinishedOnce(api);
    const wait = Math.ceil(allowanceMs / 1000) + 2;
    const again = await sendAgain(api, sent, { wait });
    if (!isSuccess(again) || !isSame(sent, again)) throw new Blocked(`the repetition was answered ${summary(again)}`);
    const actual = `the answer took ${Math.round(again.elapsedMs)} ms with wait=${wait}`;
    must(
      again.elapsedMs <= allowanceMs,
      'a repetition at once when the response is finished',
      actual,
      sent.answer,
      again,
    );
  }),

  check(
    'wait.finishes',
    {
      ...uses,
      tries: 3,
      variant: 'held-twice',
      extended: true,
      isImmune: true,
    },
    mustAnswerBothHeld,
  ),

  // The code that finds a key may wait for the response.
  check('messages.immediate', { ...uses, tries: 3, variant: 'repeated', extended: true }, async (api) => {
    const allowanceMs = await givenAllowanceMs(api);
    const { again: seen } = await givenRepeatedMeanwhile(api);
    if (seen.every(({ elapsedMs }) => elapsedMs <= allowanceMs)) return;
    const sent = await givenGenerating(api, await givenChat(api));
    const again = await sendAgain(api, sent);
    if (!isSuccess(again)) throw new Blocked(`the repetition was refused: ${summary(again)}`);
    const expected = `an answer at once to a repetition without wait, within ${Math.round(allowanceMs)} ms`;
    must(again.elapsedMs <= allowanceMs, expected, `${Math.round(again.elapsedMs)} ms`, sent.answer, again);
  }),

  check('idempotency.parallel', uses, mustMakeOneMessage),
];

/** A message whose response has finished, and whether its key was recognized right after that: shared by several checks. */
const givenFinishedOnce = shared(async (api: Api): Promise<{ readonly sent: Sent; readonly isKnown: boolean }> => {
  await givenKeyHeader(api);
  const sent = await givenFinished(api, await givenChat(api));
  return { sent, isKnown: isSame(sent, await sendAgain(api, sent)) };
});

/** Records what the key gives with another message. The specification does not say: the message may even be edited. */
async function observeOtherBody(api: Api, sent: Sent): Promise<void> {
  const message = `${sent.text} Once more.`;
  const answer = await sendAgain(api, sent, { message });
  const isEdited = stringAt(answer.json, 'data', 'userMessage', 'text') === message;
  const original = isEdited ? 'the original messages with the new text' : 'the original messages';
  const given = isSame(sent, answer) ? original : isSuccess(answer) ? 'a new message' : 'refused';
  api.session.observe('idempotency.other-body', `${given}: ${summary(answer)}`, answer.exchange);
}
