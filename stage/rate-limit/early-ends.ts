import type { Answer } from '../../core/exchange.ts';
import { announcedEnd } from '../../core/implied-resets.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { recover } from './quiet-wait.ts';
import { exhaust, type RateProbe } from './rate-probe.ts';
import type { Watched } from './watch-limit.ts';

/** A window that was over long before the time that its refusals announced. */
export type EarlyEnd = {
  /** The refusal that announced the earliest end, or one without an end, and the first request that passed. */
  readonly refused: Answer;
  readonly accepted: Answer;
  /** Requests that passed then, until the quota was used up again; 1 if it was not. */
  readonly passed: number;
};

/** A window is over early if it is so by more than this, in milliseconds, and within this share of the time that was announced. */
const early = { ms: 2000, share: 0.5 } as const;
/**
 * The share of a quota that must pass then, and the share of what passed in the window that was watched that must be a quota. A bucket
 * that announces when it is full refills less meanwhile, and a burst that takes long uses a part of two windows.
 */
const [nearlyAll, mostOfWatched] = [0.8, 0.65];
/** How much longer than in the window that was watched is waited: this many times as long, and as many milliseconds more. */
const patience = { times: 2, ms: 500 } as const;
/** So many of the latest refusals are compared: several servers may announce ends of their own. */
const latest = 10;

/**
 * If the watched limit ended long before its refusals announced that: the same in a further window, after which nearly the whole quota
 * is free again. One window alone may end because a server restarts. Undefined if it does not end early, or cannot be used up.
 */
export async function earlyEnd(probe: RateProbe, watched: Watched): Promise<EarlyEnd | undefined> {
  const { exhausted, refused, accepted } = watched;
  const [first] = exhausted.limited;
  if (first === undefined || accepted === undefined || refillsMeanwhile(exhausted)) return undefined;
  const tookMs = accepted.exchange.receivedAt - first.exchange.receivedAt;
  const announcedMs = Math.min(...[first, ...refused].map(endOf)) - first.exchange.receivedAt;
  const leastMs = Math.max(early.ms, probe.api.session.target.limits.toleranceMs);
  if (!(announcedMs - tookMs > leastMs && tookMs < early.share * announcedMs)) return undefined;
  return unlessBlocked(() => endEarlyAgain(probe, patience.times * tookMs + patience.ms, exhausted.passed));
}

/** Whether more passed after the first refusal than at the border of two windows. */
function refillsMeanwhile({ passed, refilled }: Watched['exhausted']): boolean {
  return refilled.length > (1 - mostOfWatched) * passed;
}

/** Uses the quota up, and again after that time or less. */
async function endEarlyAgain(probe: RateProbe, waitMs: number, watchedQuota: number): Promise<EarlyEnd | undefined> {
  const { clock } = probe.api.session;
  await recover(probe);
  const usedUp = await exhaust(probe, async () => {});
  const [refused] = usedUp.limited.slice(-latest).toSorted((one, other) => endOf(one) - endOf(other));
  if (refused === undefined || usedUp.passed < mostOfWatched * watchedQuota) return undefined;
  await clock.sleep(Math.min(waitMs, early.share * (endOf(refused) - clock.now())));
  let accepted: Answer | undefined;
  const send = async (): Promise<Answer> => {
    const answer = await probe.send();
    if (answer.status !== 429) accepted ??= answer;
    return answer;
  };
  const { passed } = await exhaust({ ...probe, send }, async () => {});
  return accepted === undefined || passed < nearlyAll * usedUp.passed ? undefined : { refused, accepted, passed };
}

/** When the window ends that a refusal announced, in milliseconds of the clock; never if it announced none. */
function endOf(refused: Answer): number {
  return announcedEnd(refused) ?? Number.POSITIVE_INFINITY;
}
