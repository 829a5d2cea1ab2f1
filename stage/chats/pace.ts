import type { Api } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { lendChat } from './conversation.ts';
import { type Sent, sendAgain, sendWhenFree } from './sending.ts';
import { unlessBlocked } from '../lists/snapshot.ts';

/** The assistant's pace, measured once in a run by a slow message with `wait`. */
export type Pace = {
  /** The measured answer; undefined if the deployment accepted no message. */
  readonly answer: Answer | undefined;
  /** How long a response to the slow prompt takes, at least, in milliseconds; the usual hold if that is unknown. */
  readonly responseMs: number;
  /** The `wait` with which the response to a slow message outlasts its request, in seconds. 1 if no response does. */
  readonly holdSeconds: number;
};

/** By how much the longest hold exceeds the tolerance, in seconds. */
const spareSeconds = 2;
/** The duration of a response for which {@link meanwhile} changes nothing, in milliseconds. */
const usualMs = 3000;

/** The share of a response that is surely over before it finishes: response times vary. */
const shareHeld = 0.85;

/** The most repetitions that follow one response to its end, and the shortest pause between two, in milliseconds. */
const maxLooks = 20;
const leastPauseMs = 40;

/** The pace. It may lease a chat, so call it before leasing one. */
export const givenPace = shared((api: Api): Promise<Pace> => {
  const { assistant, limits } = api.session.target;
  const most = Math.ceil(limits.toleranceMs / 1000) + spareSeconds;
  const unknown = { answer: undefined, responseMs: 1000 * most, holdSeconds: most };
  const draft = { message: assistant.slowPrompt, wait: slowPromptWait(api.session) };
  return lendChat(api, async (chat) => {
    const answer = await unlessBlocked(() => sendWhenFree(api, chat, draft));
    if (answer === undefined || !isSuccess(answer)) return unknown;
    const responseMs = answer.elapsedMs;
    // A 202 that was not held shows nothing.
    if (answer.status !== 200 && responseMs < unknown.responseMs) return { ...unknown, answer };
    const holdSeconds = Math.max(1, Math.min(most, Math.floor((shareHeld * responseMs) / 1000)));
    return { answer, responseMs, holdSeconds };
  });
});

/** A time while the response is generating: `ms`, or less in proportion for a quick assistant. */
export function meanwhile({ responseMs }: Pick<Pace, 'responseMs'>, ms: number): number {
  return Math.round(ms * Math.min(1, responseMs / usualMs));
}

/**
 * Repeats accepted messages until their responses have finished, so that the repetitions show the state of each response.
 * Ends when that has taken longer than the pace. Returns the messages whose repetition showed a finished response.
 */
export async function followToEnd(
  api: Api,
  all: readonly Sent[],
  { responseMs }: Pick<Pace, 'responseMs'>,
): Promise<readonly Sent[]> {
  const { clock } = api.session;
  const giveUpAt = clock.now() + 1.2 * responseMs;
  const pauseMs = Math.max(leastPauseMs, responseMs / 12);
  let unfinished = all;
  for (let look = 0; look < maxLooks; look += 1) {
    const answers = await Promise.all(
      unfinished.map(async (sent) => ({ sent, again: await sendAgain(api, sent, { wait: undefined }) })),
    );
    unfinished = answers.filter(({ again }) => again.status === 202).map(({ sent }) => sent);
    if (unfinished.length === 0 || clock.now() >= giveUpAt) break;
    await clock.sleep(pauseMs);
  }
  return all.filter((sent) => !unfinished.includes(sent));
}
