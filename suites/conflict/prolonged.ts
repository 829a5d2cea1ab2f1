import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { givenChat, tooFast } from '../../stage/chats/conversation.ts';
import { type Draft, loseTrack, sendAgain } from '../../stage/chats/sending.ts';
import {
  declaredMaximumWait,
  isHeldInFull,
  slowPromptWait,
  tookWholeWait,
} from '../../engine/session/waits/choose-wait.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { undisturbedIn } from '../../stage/chats/latest-message.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { givenPace } from '../../stage/chats/pace.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { notConflict } from './must-be-conflict.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { acceptedUnusual } from '../messages/unusual-messages.ts';
import { disturb, type Place, sendSlow, type Shown, timesLonger } from './disturbed-response.ts';
import { becomeQuiet } from './ended-early.ts';
import { mustNotBeLostBeside } from './lost-beside.ts';
import { keptBack, twice } from './one-at-a-time.ts';

/**
 * Rounds of one undisturbed and one disturbed response each: several, because response times vary. In five rounds, the slowest
 * five of ten random times are the disturbed ones once in 252 cases; far longer times need fewer rounds.
 */
const rounds = { ifFarLonger: 3, ifLonger: 5 } as const;
/** The same when a run repeats what failed once. */
const fewerRounds = { ifFarLonger: 1, ifLonger: 3 } as const;
/** The shortest response that {@link disturb} can disturb often enough, in milliseconds. */
const shortestMs = 1000;

/** A message that is accepted before this share of the response is over was accepted while the response was generating. */
const shareGenerating = 0.8;
/** One such message may have been delayed, or the response may have been quick. */
const acceptedEnough = 2;

const unshown =
  'messages were accepted while a request was held, and no repetition with its key showed whether its response had finished';

type Late = {
  /** A chat that answered 409 at first. */
  readonly refused: readonly Answer[];
  readonly accepted: Answer;
  readonly response: Answer;
};

/** What {@link mustNotProlong} saw, once it has started: whether others were sent until a response ended. */
const lateIn = perRun((): Seen => ({
  isTried: false,
  isProlonged: false,
  isFollowed: false,
  accepted: [],
  cause: undefined,
}));

type Seen = {
  isTried: boolean;
  isProlonged: boolean;
  isFollowed: boolean;
  accepted: readonly Late[];
  cause: Cause | undefined;
};

/**
 * Why messages were accepted before a held request was answered: the chat was free too early, or the request was held for longer than
 * its response took, as by a worker that looks only now and then whether it has finished. `unshown`: nothing shows which.
 */
type Cause = 'free-early' | 'held-late' | 'unshown';

/**
 * No message may be accepted late in a response either, as when a lock expires. Reads what {@link mustNotProlong} recorded:
 * its messages go on until the response ends.
 */
export async function mustRefuseToTheEnd(api: Api): Promise<void> {
  await unlessBlocked(() => mustNotBeLostBeside(api));
  const late = lateIn(api.session);
  if (!late.isTried) {
    await mustNotProlong(api).catch((error: unknown) => {
      // conflict.no-trace judges that.
      if (!(error instanceof Violation)) throw error;
    });
  }
  const { isFollowed, accepted, cause } = late;
  if (!isFollowed) throw new Blocked('no response was followed to its end, because each was too quick or too slow');
  if (cause === 'unshown') throw new Blocked(unshown);
  const evidence = accepted.flatMap(({ refused, accepted: one, response }) => [...refused.slice(-1), one, response]);
  const times = accepted.map((one) => {
    const { response } = one;
    return `after ${seconds(acceptedAfterMs(one))} of a response that took ${seconds(response.elapsedMs)}`;
  });
  const isFree = cause === 'free-early';
  must(!isFree, '409 until the response has finished', `2xx ${times.join(', and ')}`, ...evidence);
}

/**
 * Messages that a busy chat refuses must not prolong its response. A violation if every disturbed response takes longer
 * than every undisturbed one, by more than the tolerance.
 */
export async function mustNotProlong(api: Api): Promise<void> {
  lateIn(api.session).isTried = true;
  const { answer } = await givenPace(api);
  const unkeyed = await acceptedUnusual(api, 'no key');
  const draft: Draft = unkeyed === undefined ? {} : { keyOf: () => null };
  const areKeysKnown = await keysWork(api);
  const place = { chat: await givenChat(api), draft, areKeysKnown };
  const known = answer?.status === 200 ? answer : undisturbedIn(api.session);
  await twice(api, () => mustNotProlongIn(api, place, known));
}

/** A place, and whether repetitions with keys can show a response. */
type Keyed = Place & { readonly areKeysKnown: boolean };

/** `known` is the answer to an undisturbed message, which need not be sent in the first round. */
async function mustNotProlongIn(api: Api, place: Keyed, known: Answer | undefined): Promise<void> {
  const { chat } = place;
  const shown: Answer[] = [];
  let [mostAloneMs, leastDisturbedMs, areFarLonger] = [0, Number.POSITIVE_INFINITY, true];
  const late = lateIn(api.session);
  const { ifFarLonger, ifLonger } = late.isProlonged ? fewerRounds : rounds;
  for (let round = 0; round < ifLonger; round += 1) {
    if (round >= ifFarLonger && areFarLonger) break;
    await becomeQuiet(api, chat);
    const alone = round === 0 && known !== undefined ? known : await sendSlow(api, chat, slowPromptWait(api.session));
    if (alone.elapsedMs < shortestMs) throw new Blocked(tooFast);
    if (isHeldInFull(api.session) && tookWholeWait(alone))
      throw new Blocked('requests are held for their whole wait, so nothing shows how long a response takes');
    const mostMs = timesLonger * alone.elapsedMs;
    if (alone.status !== 200 || mostMs > 1000 * declaredMaximumWait(api.session))
      throw new Blocked(
        'the response to assistant.slowPrompt takes so long that a longer one would exceed assistant.timeoutSeconds',
      );
    const { disturbed, refused, odd } = await disturb(api, place, alone.elapsedMs);
    if (odd !== undefined && odd.exchange.sentAt < disturbed.exchange.sentAt) throw new Blocked(keptBack);
    late.isFollowed = true;
    // The chat accepts another message, so the response has finished, whether or not its request was answered.
    if (odd !== undefined && isSuccess(odd)) {
      if (!isEarly(api, odd, alone, disturbed)) return;
      late.accepted = [...late.accepted, { refused, accepted: odd, response: disturbed }];
      if (late.accepted.length < acceptedEnough) continue;
      late.cause = 'unshown'; // until the cause is found
      late.cause = await causeOf(api, place, late.accepted);
      return;
    }
    mostAloneMs = Math.max(mostAloneMs, alone.elapsedMs);
    leastDisturbedMs = Math.min(leastDisturbedMs, disturbed.elapsedMs);
    areFarLonger &&= disturbed.elapsedMs > mostMs;
    if (leastDisturbedMs <= mostAloneMs + api.session.target.limits.toleranceMs) return;
    if (odd !== undefined) throw new Blocked(notConflict(odd));
    shown.push(alone, ...refused.slice(-1), disturbed);
  }
  const times = shown.flatMap(({ exchange, elapsedMs }) => (exchange.request.path.includes('wait=') ? elapsedMs : []));
  const expected = 'refused messages to leave the running response unchanged';
  late.isProlonged = true;
  must(
    false,
    expected,
    `alternately undisturbed and disturbed, the response took ${times.map(seconds).join(', ')}`,
    ...shown,
  );
}

/** Sends a message with a key, and repeats it as soon as another one is accepted. */
async function causeOf(api: Api, { chat, areKeysKnown }: Keyed, accepted: readonly Late[]): Promise<Cause> {
  if (!areKeysKnown) return 'unshown';
  const key = api.freshKey();
  const { assistant, limits } = api.session.target;
  const original = { chat, key, text: assistant.slowPrompt };
  async function look(): Promise<Shown> {
    const again = await sendAgain(api, original, { wait: 1 + Math.floor(limits.toleranceMs / 1000) });
    if (again.elapsedMs > limits.toleranceMs) return 'generating';
    return again.status === 200 ? 'finished' : undefined;
  }
  const heldMs = Math.max(...accepted.map(({ response }) => response.elapsedMs));
  const place = { chat, draft: { keyOf: () => key } };
  const { disturbed, refused, odd, shown } = await disturb(api, place, heldMs, look);
  loseTrack(api, chat); // the message that was accepted last may still be answered
  if (shown !== undefined) return shown === 'finished' ? 'held-late' : 'free-early';
  if (odd !== undefined) return 'unshown';
  // With a key, the lock may last: then messages are refused far later than they were accepted before. Response times vary.
  const farLaterMs = timesLonger * Math.max(...accepted.map(acceptedAfterMs));
  const isRefusedLater = refused.some(({ exchange }) => exchange.sentAt - disturbed.exchange.sentAt > farLaterMs);
  return isRefusedLater ? 'free-early' : 'unshown';
}

function acceptedAfterMs({ accepted, response }: Late): number {
  return accepted.exchange.sentAt - response.exchange.sentAt;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Whether a message was accepted well before its response ended, and before an undisturbed one would have. */
function isEarly({ session }: Api, accepted: Answer, alone: Answer, disturbed: Answer): boolean {
  const { toleranceMs } = session.target.limits;
  const afterMs = accepted.exchange.receivedAt - disturbed.exchange.sentAt;
  const beforeMs = disturbed.exchange.receivedAt - accepted.exchange.receivedAt;
  const shortestOfBoth = Math.min(alone.elapsedMs, disturbed.elapsedMs);
  return disturbed.status === 200 && afterMs < shareGenerating * shortestOfBoth && beforeMs > toleranceMs;
}
