import type { Answer } from '../../core/exchange.ts';
import { announcedEnd, retryAfterOf } from '../../core/implied-resets.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { longestOf, longestWaitMs, marginOf, type QuietWait, recover } from './quiet-wait.ts';
import { exhaust, type RateProbe } from './rate-probe.ts';

/** The windows whose announced end must be wrong: one may be because of a node that restarts, or another client. */
const windows = 3;
/** Requests that try at once whether a window is over: nodes that count separately need not all let them pass. */
const triesAtOnce = 8;
/** Earlier requests leave a sliding window in this time, in milliseconds. */
const pauseMs = 2000;
/** Each later pause is longer by this share, because another client may use the quota up at regular times. */
const longerBy = 0.7;
/** An end is wrong by more than this, in milliseconds: it may be announced in whole seconds, and other traffic may have taken what was free. */
const leastWrongMs = 2000;

/** Uses a quota up, and returns its refusals; none if no request passed before. */
type UseUp = (probe: RateProbe) => Promise<readonly Answer[]>;

/**
 * For a limit that still refused after the first of several waits: the same in further windows, where every one of several requests, or
 * only the first, is refused after the latest end that a refusal announced, for more than {@link leastWrongMs}. Undefined if others are
 * refused and some pass in one of them, or if too few windows can be used up.
 */
export async function wrongEnds(
  probe: RateProbe,
  waits: readonly QuietWait[],
): Promise<readonly QuietWait[] | undefined> {
  return waits.length < 2 ? undefined : inFurtherWindows(probe, refusalsOfWindow);
}

/**
 * For a limit whose first refusal of a window announced a much earlier end than the later ones: the same as {@link wrongEnds}, but nothing
 * is sent after the first refusal, because a limit may postpone its end with each one. `passed` requests were a quota.
 */
export async function wrongFirstEnds(
  probe: RateProbe,
  limited: readonly Answer[],
  passed: number,
): Promise<readonly QuietWait[] | undefined> {
  const [first] = limited;
  if (first === undefined) return undefined;
  // The target may decide requests that overlap in another order than they were sent.
  const firstOnes = limited.filter(({ exchange }) => exchange.sentAt <= first.exchange.receivedAt);
  const [earliest, latest] = [Math.min(...firstOnes.map(endOf)), Math.max(...limited.map(endOf))];
  if (latest - earliest <= leastWrongOf(probe)) return undefined;
  return inFurtherWindows(probe, (once) => onlyRefusal(once, passed));
}

async function inFurtherWindows(probe: RateProbe, useUp: UseUp): Promise<readonly QuietWait[] | undefined> {
  const wrong: QuietWait[] = [];
  while (wrong.length < windows) {
    await recover(probe);
    await probe.api.session.clock.sleep((1 + longerBy * wrong.length) * pauseMs);
    const wait = await unlessBlocked(() => waitForEnd(probe, useUp));
    if (wait === undefined) return undefined;
    wrong.push(wait);
  }
  return wrong;
}

function leastWrongOf({ api }: RateProbe): number {
  return Math.max(leastWrongMs, api.session.target.limits.toleranceMs);
}

/** The share of a quota that is used up quickly. The rest is sent one at a time, so that one request is refused. */
const quickShare = 0.8;
/** Requests under way at once meanwhile. */
const quickAtOnce = 8;

/** Uses a quota up that lets about `passed` requests pass, and stops at the first refusal. None if it does not come alone. */
async function onlyRefusal({ send }: RateProbe, passed: number): Promise<readonly Answer[]> {
  for (let left = Math.floor(quickShare * passed); left > 0; left -= quickAtOnce) {
    const answers = await Promise.all(Array.from({ length: Math.min(left, quickAtOnce) }, send));
    if (answers.some(({ status }) => status === 429)) return [];
  }
  // The window may end meanwhile, and then a whole quota is left.
  for (let left = passed; left > 0; left -= 1) {
    const answer = await send();
    if (answer.status === 429) return [answer];
  }
  return [];
}

/** How often it is asked whether requests are still under way, in milliseconds. */
const pollMs = 50;

/** Uses a quota up, and returns every refusal: requests still get one after the burst, and a limit may count what it refuses. */
async function refusalsOfWindow(probe: RateProbe): Promise<readonly Answer[]> {
  const limited: Answer[] = [];
  let underWay = 0;
  const send = async (): Promise<Answer> => {
    underWay += 1;
    try {
      const answer = await probe.send();
      if (answer.status === 429) limited.push(answer);
      return answer;
    } finally {
      underWay -= 1;
    }
  };
  const { passed } = await exhaust({ ...probe, send }, async () => {});
  while (underWay > 0) await probe.api.session.clock.sleep(pollMs);
  return passed === 0 ? [] : limited;
}

/**
 * Uses a quota up and waits for the latest end that is announced. Undefined if a request passes then, or nearly so, unless the first one
 * alone is refused for long.
 */
async function waitForEnd(probe: RateProbe, useUp: UseUp): Promise<QuietWait | undefined> {
  const { clock } = probe.api.session;
  const limited = await useUp(probe);
  const refused = limited.toSorted((one, other) => endOf(other) - endOf(one))[0];
  const retryAfterMs = retryAfterOf(refused);
  if (refused === undefined || retryAfterMs === undefined || retryAfterMs > longestWaitMs) return undefined;
  await clock.sleep(endOf(refused) + marginOf(probe, limited, retryAfterMs) - clock.now());
  const first = await probe.send();
  if (!isRefused(first)) return undefined;
  const tried = await tryAtOnce(probe);
  const leastMs = leastWrongOf(probe);
  // If all others pass at once, no other client and no node that counts apart has used up what the first one was refused.
  if (!tried.some(isRefused))
    return (retryAfterOf(first) ?? 0) > leastMs ? { refused, retryAfterMs, tried: first } : undefined;
  if (!tried.every(isRefused)) return undefined;
  if (tried.every((answer) => (retryAfterOf(answer) ?? 0) > leastMs)) return { refused, retryAfterMs, tried: first };
  // Short windows may follow one another while the limit holds: only what is still refused after that time was announced wrongly.
  const nextEnd = Math.max(endOf(refused) + leastMs, ...tried.map(endOf));
  if (nextEnd - clock.now() > longestWaitMs) return undefined;
  await clock.sleep(nextEnd + marginOf(probe, tried, longestOf(tried)) - clock.now());
  const again = await tryAtOnce(probe);
  return again.every(isRefused) ? { refused, retryAfterMs, tried: first } : undefined;
}

function tryAtOnce({ send }: RateProbe): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: triesAtOnce }, send));
}

function isRefused({ status }: Answer): boolean {
  return status === 429;
}

/** When the window ends that a refusal announced, in milliseconds of the clock; in the past if it announced none. */
function endOf(refused: Answer): number {
  return announcedEnd(refused) ?? Number.NEGATIVE_INFINITY;
}
