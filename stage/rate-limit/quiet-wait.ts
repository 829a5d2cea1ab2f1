import type { Answer } from '../../core/exchange.ts';
import { patienceMs, waitedWithoutResult } from '../../engine/session/waits/patience.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import type { RateProbe } from './rate-probe.ts';

/** A client that was refused, sent nothing for the announced wait and a margin, and tried once. */
export type QuietWait = { readonly refused: Answer; readonly retryAfterMs: number; readonly tried: Answer };

/** The refusals in a row before the wait, and whether a request passed after them. */
type Held = { readonly refused: readonly Answer[]; readonly accepted: Answer | undefined };

/** After this many waits, a limit that still refuses is considered wrong about its reset. */
const mostWaits = 3;

/** The longest single wait, in milliseconds. */
export const longestWaitMs = 120_000;
const rateLimitEnd = 'the end of a rate limit';

/** The longest wait, in milliseconds, that timers of a busy machine may exceed by as much again. */
export const briefMs = 100;

/** What is waited more for a brief wait, and more each time: an honest one helps once its window has ended, however late. */
function briefMargin(askedMs: number, before: number): number {
  return askedMs > briefMs ? 0 : 2 ** before * askedMs + 50 * before;
}

/** How much longer than announced a client waits, in milliseconds, if that many waits did not help before. */
export function marginOf(
  { api }: Pick<RateProbe, 'api'>,
  refused: readonly Answer[],
  askedMs: number,
  before = 0,
): number {
  // Requests that are still on the way may use the next window up, and a machine that delays answers may end it late.
  const lateMs = refused.reduce((most, { elapsedMs }) => Math.max(most, elapsedMs), 0);
  return Math.min(api.session.target.limits.toleranceMs, 25 + askedMs / 20 + lateMs + briefMargin(askedMs, before));
}

/** Whether the limit refused after each of the first waits: by default, after as many as there may be. */
export function waitingFailed(waits: readonly QuietWait[] | string, times: number = mostWaits): boolean {
  const first = typeof waits === 'string' ? [] : waits.slice(0, times);
  return first.length === times && first.every(({ tried }) => tried.status === 429);
}

/** A wait this share of the longest that was announced is short: the window was nearly over. */
const shortShare = 1 / 3;

/** Whether waiting did not help at first, and then did so near the end of a window, where margins add up to what is left of it. */
export function wereTooShort(waits: readonly QuietWait[], limited: readonly Answer[]): boolean {
  const [first, second] = waits;
  if (first === undefined || second === undefined || waitingFailed(waits)) return false;
  return first.retryAfterMs < shortShare * longestOf(limited);
}

/** The later waits, unless there are none. */
export function latestOf(
  earlier: readonly QuietWait[] | string,
  later: readonly QuietWait[] | string,
): readonly QuietWait[] | string {
  return typeof later === 'string' && typeof earlier !== 'string' ? earlier : later;
}

/** The longest wait that refusals announce, in milliseconds; 0 if they announce none. */
export function longestOf(limited: readonly Answer[]): number {
  return limited.reduce((most, answer) => Math.max(most, retryAfterOf(answer) ?? 0), 0);
}

const tooLate = 'the limit did not hold long enough to wait for its reset';

/**
 * Waits for the time that the last refusal announces without sending anything, tries once, and repeats that while it is
 * refused. Returns a reason instead if that shows nothing.
 */
export async function waitQuietly(
  { api, send }: RateProbe,
  { refused, accepted }: Held,
): Promise<readonly QuietWait[] | string> {
  if (accepted !== undefined) return tooLate;
  const { clock } = api.session;
  const waits: QuietWait[] = [];
  let last = refused.at(-1);
  while (last !== undefined && last.status === 429 && waits.length < mostWaits) {
    const retryAfterMs = retryAfterOf(last);
    if (retryAfterMs === undefined) return 'a 429 has no retryAfterMs that is a number';
    if (retryAfterMs > longestWaitMs)
      return `a 429 asks to wait ${Math.round(retryAfterMs / 1000)} s, which is too long to try`;
    const askedMs = Math.max(0, retryAfterMs);
    const marginMs = marginOf({ api }, refused, askedMs, waits.length);
    await clock.sleep(last.exchange.receivedAt + askedMs + marginMs - clock.now());
    const tried: Answer | undefined = await unlessBlocked(send);
    if (tried === undefined) return 'limits.rateProbeRequests were spent before a wait was over: raise them';
    waits.push({ refused: last, retryAfterMs, tried });
    last = tried;
  }
  if (last?.status === 429) waitedWithoutResult(api.session, rateLimitEnd);
  return waits;
}

/** The waits, or a reason if they show nothing: little of a wrong wait may have been left, and then it helps. */
export function ifTelling(
  { late }: { readonly late: boolean },
  waits: readonly QuietWait[] | string,
): readonly QuietWait[] | string {
  return late && !waitingFailed(waits) ? tooLate : waits;
}

/** Waits until requests pass again, so that later checks meet no limit. */
export async function recover({ api, send }: RateProbe): Promise<void> {
  const { clock } = api.session;
  // The sender has waited for that without result.
  if (api.session.sender.givenUp() !== undefined) waitedWithoutResult(api.session, rateLimitEnd);
  const giveUpAt = clock.now() + patienceMs(api.session, rateLimitEnd, longestWaitMs);
  for (let pauseMs = 250; clock.now() < giveUpAt; pauseMs *= 2) {
    const answer = await unlessBlocked(send);
    if (answer?.status !== 429) return;
    const leftMs = giveUpAt - clock.now();
    const askedMs = retryAfterOf(answer) ?? 0;
    // A wait that is too long to be waited for may be wrong.
    await clock.sleep(Math.min(leftMs, askedMs > leftMs ? pauseMs : Math.max(pauseMs, askedMs)));
  }
  waitedWithoutResult(api.session, rateLimitEnd);
}
