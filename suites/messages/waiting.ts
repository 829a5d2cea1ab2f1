import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { answeredInTime } from '../../engine/answered-in-time.ts';
import { during } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { waitRefused } from '../../promises/message-requests.ts';
import { mustKeep } from '../shared/must-keep.ts';
import {
  givenChat,
  givenIdleChat,
  givenPair,
  makeIdle,
  pairOf,
  settle,
  tooFast,
} from '../../stage/chats/conversation.ts';
import { givenPace } from '../../stage/chats/pace.ts';
import { heldIn } from '../../stage/chats/held-messages.ts';
import { sendWhenFree } from '../../stage/chats/sending.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { mustEndEarlier, mustNotHoldShortInFull } from './held-in-full.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { forAll } from '../../engine/properties.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustRefuse, observeRefusal, refusalOf } from './refused-message.ts';
import { leavesAfterMs, seenAfterWait, shortSeconds, showAnswering } from './after-wait.ts';
import { acceptedUnusual, drawnWait } from './unusual-messages.ts';
import { mustNotMissEnds } from './missed-ends.ts';
import { outOfRange, wrongWait, wrongWaits } from './wrong-waits.ts';
import {
  mustHoldLong,
  givenShortestWait,
  givenWaitAccepted,
  mustHoldShort,
  mustHold,
  mustNotBeLate,
  untilNoneIsHeld,
  mustAcceptLongestWait,
  mustNotEndHeld,
  mustBeTheWait,
  ms,
} from './must-hold.ts';

const uses = { uses: ['messages'] } as const;
/** The longest wait with which a quick message shows whether it is held in full, in seconds. */
const longestHeldSeconds = 9;
/** The second of two requests is sent this much later, in milliseconds. */
const secondMs = 100;
/** A response of about one second, the shortest wait, in milliseconds. */
const aboutSecondMs = 900;
/** Tried several times, so that one network delay is not reported as a violation. */
const timed = { uses: ['messages'], tries: 3 } as const;

/** Sections 4.2 and 8: a request with wait is held only until the response has finished. Shows early in a run whether it is. */
export const finishing: readonly Check[] = [
  check('wait.finishes', { ...timed, isImmune: true }, async (api) => {
    const allowanceMs = await givenAllowanceMs(api);
    const chat = await givenIdleChat(api);
    // What may have been held in full is not held for as long again.
    const waits = quickPromptWait(api.session) < longestHeldSeconds ? [5, 3] : [longestHeldSeconds, 5, 3];
    await mustEndEarlier(api, chat, waits, allowanceMs);
  }),
];

/** Sections 4.2 and 8: how long a request with wait is held. */
export const waiting: readonly Check[] = [
  check('wait.holds', timed, mustHoldShort),

  check('wait.holds', { ...uses, variant: 'any-wait' }, async (api) => {
    const unusual = api.replayPath === undefined ? await acceptedUnusual(api, 'any wait') : undefined;
    if (unusual !== undefined) return unusual.forEach(({ answer }) => mustHold(api, answer));
    const chat = await givenChat(api);
    await forAll(
      api,
      drawnWait(api),
      { runs: 2, requests: 60 },
      async (wait) => {
        const { quickPrompt } = api.session.target.assistant;
        const held = { message: quickPrompt, wait };
        const answer = await sendWhenFree(api, chat, held);
        if (!isSuccess(answer)) await mustBeTheWait(api, chat, held, answer);
        mustHold(api, answer);
        if (answer.status !== 200) await settle(api, chat);
      },
      (wait) => `wait=${wait}`,
    );
  }),

  // A proxy that ends long requests lets short ones pass.
  check(
    'wait.holds',
    {
      ...uses,
      tries: 2,
      variant: 'long',
      extended: true,
    },
    mustHoldLong,
  ),

  check('wait.ends', timed, async (api) => {
    const allowanceMs = await givenAllowanceMs(api);
    const { second } = (await seenAfterWait(api)) ?? {};
    if (second !== undefined && isInTime(second.answer, 1, allowanceMs)) return;
    if (second === undefined) await showAnswering(api);
    const chat = await givenChat(api);
    await untilNoneIsHeld(api);
    const { slowPrompt } = api.session.target.assistant;
    const promised = `with wait=1 an answer within ${ms(1000 + allowanceMs)}`;
    const held = { message: slowPrompt, wait: 1 };
    const answer = await answeredInTime(promised, () =>
      sendWhenFree(api, chat, { ...held, leavesAfterMs: leavesAfterMs(api, 1) }),
    );
    if (!isSuccess(answer)) await mustNotEndHeld(api, chat, held, answer);
    mustNotBeLate(answer.elapsedMs <= 1000 + allowanceMs, promised, answer, [answer]);
    // A response that takes about a second may finish as its wait ends.
    if (answer.status === 200 && answer.elapsedMs < aboutSecondMs) throw new Blocked(tooFast);
  }),

  check('wait.ends', { ...timed, variant: 'side-by-side', extended: true }, async (api) => {
    const allowanceMs = await givenAllowanceMs(api);
    const seen = await seenAfterWait(api);
    if (
      seen !== undefined &&
      isInTime(seen.first, shortSeconds(api), allowanceMs) &&
      isInTime(seen.second.answer, 1, allowanceMs)
    )
      return;
    const [one, other] = await givenPair(api, pairOf(api));
    for (const chat of [one, other]) await makeIdle(api, chat);
    await untilNoneIsHeld(api);
    const message = api.session.target.assistant.slowPrompt;
    // The longer one first: if requests wait one after the other, the second is late.
    const [longer, shorter] = [3, 1] as const;
    const afterwards = async (make: () => Promise<Answer>): Promise<Answer> => {
      await api.session.clock.sleep(secondMs);
      return make();
    };
    const promised = 'an answer to each of two held requests when its wait is over';
    const answers = await answeredInTime(promised, () =>
      during(
        sendWhenFree(api, one, { message, wait: longer, leavesAfterMs: leavesAfterMs(api, longer) }),
        afterwards(() =>
          sendWhenFree(api, other, { message, wait: shorter, leavesAfterMs: leavesAfterMs(api, shorter) }),
        ),
      ),
    );
    for (const [index, seconds] of [longer, shorter].entries()) {
      const answer = answers[index] ?? answers[0];
      if (!isSuccess(answer)) throw new Blocked(`a slow message with wait=${seconds} was answered ${summary(answer)}`);
      const mostMs = seconds * 1000 + allowanceMs;
      const promised = `with wait=${seconds} an answer within ${ms(mostMs)}, while another chat waits for its response`;
      mustNotBeLate(answer.elapsedMs <= mostMs, promised, answer, answers);
    }
    // Otherwise the first request was still waiting when the second one's time was over.
    if (answers.some(({ status, elapsedMs }) => status === 200 && elapsedMs < aboutSecondMs))
      throw new Blocked(tooFast);
  }),

  // Short waits may be held in another way, such as by one sleep.
  check(
    'wait.finishes',
    { ...uses, phase: 'later', variant: 'short', extended: true, isImmune: true },
    mustNotHoldShortInFull,
  ),

  check('wait.minimum', uses, async (api) => {
    const { chat, answer } = await givenShortestWait(api);
    if (!isSuccess(answer)) {
      const free = await givenChat(api, (one) => one === chat);
      await mustBeTheWait(api, free, { message: api.session.target.assistant.quickPrompt, wait: 1 }, answer);
    }
    mustHold(api, answer);
  }),
  check('wait.maximum', uses, mustAcceptLongestWait),

  // What else happens in a chat must not end a wait.
  check('wait.holds', { ...uses, phase: 'later', variant: 'at-last', extended: true }, async (api) => {
    await givenPace(api);
    for (const answer of heldIn(api.session)) mustHold(api, answer);
  }),

  check(
    'wait.finishes',
    { ...uses, phase: 'last', variant: 'at-last', extended: true, isImmune: true },
    mustNotMissEnds,
  ),

  check('wait.refused', uses, async (api) => {
    const { quickPrompt } = api.session.target.assistant;
    await givenWaitAccepted(api);
    const chat = await givenChat(api);
    const wrong = (wait: string) => [`wait=${wait}`, { message: quickPrompt, wait }] as const;
    // Both are observed, even if the first is accepted.
    const answers = [];
    for (const wait of outOfRange) answers.push(await refusalOf(api, chat, wrong(wait)));
    for (const answer of answers) mustKeep(waitRefused, answer, answer);
    for (const wait of wrongWaits) await mustRefuse(api, chat, waitRefused, wrong(wait));
    // A refusal of two mistakes has one detail, too, as errors.body demands of every answer.
    await mustRefuse(api, chat, waitRefused, ['an empty message, and wait=0', { message: '', wait: '0' }]);
  }),

  check('wait.refused', { ...uses, variant: 'drawn' }, async (api) => {
    const { quickPrompt } = api.session.target.assistant;
    await givenWaitAccepted(api);
    const chat = await givenChat(api);
    await forAll(
      api,
      wrongWait,
      { runs: 1, requests: 40 },
      async (wait) => {
        await mustRefuse(api, chat, waitRefused, [
          'a wait that is not an integer from 1 to 300',
          { message: quickPrompt, wait },
        ]);
      },
      (wait) => `wait=${wait}`,
    );
    const draft = { message: quickPrompt, wait: '' };
    const empty = await sendWhenFree(api, chat, draft);
    observeRefusal(api, ['wait=', draft], empty);
  }),
];

/** Whether the answer shows that a request is held no longer than its `wait` although its response takes longer, or about as long. */
function isInTime({ status, elapsedMs }: Answer, seconds: number, allowanceMs: number): boolean {
  return elapsedMs <= seconds * 1000 + allowanceMs && (status !== 200 || elapsedMs >= aboutSecondMs);
}
