import type { Answer } from '../../core/exchange.ts';
import type { Refusal } from '../../core/implied-resets.ts';
import { isFullWhenSaid } from './full-when-said.ts';
import {
  areBorneOut,
  driftOf,
  judgeResets,
  type ResetVerdict,
  type Streak,
} from '../../engine/history/judge-resets.ts';
import {
  exhaust,
  exhaustEarly,
  type Exhausted,
  type RateProbe,
  retryAfterOf,
  type Settled,
  settled,
} from './rate-probe.ts';
import {
  latestOf,
  longestOf,
  type QuietWait,
  recover,
  waitingFailed,
  waitQuietly,
  wereTooShort,
} from './quiet-wait.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/** What a probe recorded of a rate limit. */
export type RateLimit = {
  readonly first: Exhausted<void>;
  /** Every 429 that the probe got, oldest first. */
  readonly limited: readonly Answer[];
  readonly resets: ResetVerdict;
  /** The answers from which `resets` was judged. */
  readonly streak: readonly Answer[];
  /** The waits of one streak until one was long enough, at most three; or why there is none. */
  readonly waits: readonly QuietWait[] | string;
  /** Whether `streak` is too brief to show a slow drift. */
  readonly wasBrief: boolean;
};

/** Pauses before another quota is used up to see one window well, in milliseconds. Earlier requests leave a sliding window. */
const pausesMs = [2000, 8000, 35_000] as const;
/**
 * A streak is watched for half of the announced wait, within these bounds in milliseconds. If that is `brief`, a slow drift
 * does not show.
 */
const watchMs = { least: 300, most: 30_000, toTheEnd: 60_000, brief: 500 } as const;
/** The largest factor by which the time is extended if the wait does not count down. */
const timesLonger = 8;
/** Pauses between two requests grow with the time watched, because the announced wait may be wrong. */
const pause = { shortestMs: 25, share: 1 / 5 } as const;
/** The refusals in a row after a quota was used up, and what ended them. */
type Watched = {
  readonly exhausted: Exhausted<void>;
  readonly refused: readonly Answer[];
  /** The first answer other than 429; undefined if the limit still holds. */
  readonly accepted: Answer | undefined;
  /** All requests that passed after the first 429. */
  readonly passed: readonly Answer[];
  /** Whether it was watched for longer than half of the wait, so that little of the wait is left. */
  readonly late: boolean;
};

type Asked = { readonly answers: readonly Answer[]; readonly late: boolean };

/**
 * Uses the quota of the probe up, calls `whenLimited` meanwhile, and watches the limit until its reset. Uses more quotas up
 * only if one window shows too little. Requests pass again at the end. Blocked if no 429 can be reached.
 */
export async function recordRateLimit(probe: RateProbe, whenLimited: () => Promise<void>): Promise<RateLimit> {
  // A window that begins with a request begins with this one, so that one window shows enough.
  await probe.api.session.clock.sleep(pausesMs[0]);
  const first = await watch(probe, true, whenLimited);
  let best = first;
  let waits = await waitQuietly(probe, first);
  let latest = first;
  const limited = [...first.exhausted.limited, ...first.refused];
  const passed = [...first.passed];
  let borneOut: boolean | undefined;
  for (const pauseMs of pausesMs) {
    const unwaited = typeof waits === 'string' || wereTooShort(waits, limited);
    const { kind } = resetsOf(probe, best, waits, limited, passed);
    const unseen = kind === 'too-short';
    const speaks = limited.some((answer) => retryAfterOf(answer) !== undefined);
    if (!speaks || (!unwaited && !unseen)) break;
    if (kind === 'contradicted' && longestOf(limited) > mostDoubtedMs) break;
    // Watching a bucket that says when it is full shows nothing, and each time takes a quota.
    if (!unwaited) borneOut ??= await isBorneOutByWaiting(probe, first, waits);
    if (borneOut === true) break;
    // A quota that refills continuously cannot be watched, so the probe can only wait.
    const isLast = pauseMs === pausesMs.at(-1);
    const look = unwaited && (typeof waits !== 'string' || latest.accepted !== undefined || isLast) ? burst : watch;
    // Start in a new window, because it is unknown how much is left of this one.
    await recover(probe);
    await probe.api.session.clock.sleep(pauseMs);
    const looked = await settled(look(probe, unseen));
    if (!looked.ok) {
      if (!(looked.error instanceof Blocked)) throw looked.error;
      // The reason that blocks the probe is what the reader must change.
      if (typeof waits === 'string') waits = looked.error.message;
      break;
    }
    latest = looked.value;
    limited.push(...latest.exhausted.limited, ...latest.refused);
    passed.push(...latest.passed);
    if (unwaited) waits = latestOf(waits, await waitQuietly(probe, latest));
    if (unseen && look === watch) best = latest;
  }
  await recover(probe);
  if (typeof waits !== 'string')
    limited.push(...waits.map(({ tried }) => tried).filter(({ status }) => status === 429));
  const seen = resetsOf(probe, best, waits, limited, passed);
  const resets =
    seen.kind !== 'agreed' && (borneOut ?? (await isBorneOutByWaiting(probe, first, waits))) ? agreed : seen;
  return { first: first.exhausted, limited, resets, streak: best.refused, waits, wasBrief: isBrief(best) };
}

/** The same, after one more window where the one that was watched was nearly over. */
export async function watchedLonger(probe: RateProbe, limit: Settled<RateLimit>): Promise<Settled<RateLimit>> {
  if (!limit.ok || !limit.value.wasBrief || limit.value.resets.kind !== 'agreed') return limit;
  await probe.api.session.clock.sleep(pausesMs[0]);
  const again = await settled(watch(probe, true));
  await recover(probe);
  if (!again.ok) return limit;
  const { refused, passed } = again.value;
  const resets = resetsOf(probe, again.value, limit.value.waits, refused, passed);
  return resets.kind === 'contradicted' ? { ok: true, value: { ...limit.value, resets, streak: refused } } : limit;
}

/** A wait that is known to be wrong is waited for only if it is at most so many milliseconds. */
const mostDoubtedMs = 20_000;

const agreed: ResetVerdict = { kind: 'agreed' };

/** Whether a bucket is full when it announced that, if its refusals are too short to show it or announce longer waits. */
async function isBorneOutByWaiting(probe: RateProbe, first: Watched, waits: RateLimit['waits']): Promise<boolean> {
  if (typeof waits === 'string' || waitingFailed(waits) || first.passed.length === 0) return false;
  const isFull = await unlessBlocked(() => isFullWhenSaid(probe, first.exhausted.passed));
  await recover(probe);
  return isFull === true;
}

/** Whether a limit that held was watched only briefly, because its window was nearly over. */
function isBrief({ refused: [first, ...more], passed }: Watched): boolean {
  const last = more.at(-1);
  if (first === undefined || last === undefined || passed.length > 0) return false;
  return last.exchange.sentAt - first.exchange.sentAt < watchMs.brief;
}

/** The verdict of one window or, if it shows too little, of all answers that were `limited` and `passed`. */
function resetsOf(
  { api }: RateProbe,
  { refused, accepted }: Watched,
  waits: readonly QuietWait[] | string,
  limited: readonly Answer[],
  passed: readonly Answer[],
): ResetVerdict {
  const streak: Streak = {
    refusals: refusalsOf(refused),
    acceptedAt: accepted?.exchange.receivedAt,
    // A limit that counts refused requests also postpones its reset, but then a quiet wait helps.
    waitingFailed: waitingFailed(waits, 2),
  };
  const verdict = judgeResets(streak, api.session.target.limits.toleranceMs);
  const helped = typeof waits !== 'string' && !waitingFailed(waits);
  if (verdict.kind !== 'too-short' || !helped) return verdict;
  const followed = passed.map(({ exchange }) => exchange);
  return areBorneOut(refusalsOf(limited), followed) ? agreed : verdict;
}

function refusalsOf(answers: readonly Answer[]): readonly Refusal[] {
  return answers.flatMap((answer) => {
    const retryAfterMs = retryAfterOf(answer);
    const { sentAt, receivedAt } = answer.exchange;
    return retryAfterMs === undefined ? [] : [{ sentAt, receivedAt, retryAfterMs }];
  });
}

/** Uses a quota up and does not watch. */
async function burst(probe: RateProbe): Promise<Watched> {
  const exhausted = await exhaust(probe, async () => {});
  const { limited, refilled } = exhausted;
  return { exhausted, refused: limited.slice(-1), accepted: undefined, passed: refilled, late: false };
}

/**
 * Uses a quota up, then asks repeatedly during the first half of the announced wait: long enough to see the wait count
 * down, while the other half is left for waiting quietly. If it does not count down and `toTheEnd` is set, it asks until a
 * request passes.
 */
async function watch(probe: RateProbe, toTheEnd: boolean, whenLimited = async () => {}): Promise<Watched> {
  let asking: Promise<Settled<Asked>> | undefined;
  const exhausted = await exhaustEarly(probe, async (limited) => {
    asking = settled(askAgain(probe, limited, toTheEnd));
    await whenLimited();
  });
  const asked = await asking;
  if (asked?.ok === false) throw asked.error;
  const { answers, late } = asked?.value ?? { answers: [], late: false };
  const passed = [...exhausted.refilled, ...answers.filter(({ status }) => status !== 429)];
  return { exhausted, late, passed, ...firstStreak(answers) };
}

/** Asks on a schedule, not one after the other, because with slow answers a window would end after a few requests. */
async function askAgain({ api, send }: RateProbe, limited: Answer, toTheEnd: boolean): Promise<Asked> {
  const { clock } = api.session;
  const startedAt = clock.now();
  const answers: Answer[] = [];
  const underWay: Promise<Settled<number>>[] = [];
  let late = false;
  for (;;) {
    const passedMs = clock.now() - startedAt;
    const watchedMs = halfOf([limited, ...answers]);
    late = passedMs >= watchedMs;
    const longerMs = Math.min(watchMs.toTheEnd, timesLonger * halfOf(answers));
    // Computing the drift is slow, and not needed before both times are over.
    const isClose = passedMs >= Math.min(watchedMs, longerMs);
    const mostMs = isClose && toTheEnd && countsDownNot(answers) ? longerMs : watchedMs;
    if (passedMs >= mostMs || answers.some(({ status }) => status !== 429)) break;
    underWay.push(settled(send().then((answer) => answers.push(answer))));
    await clock.sleep(Math.max(pause.shortestMs, pause.share * passedMs));
  }
  for (const sent of await Promise.all(underWay)) if (!sent.ok) throw sent.error;
  return { answers, late: late && toTheEnd && countsDownNot(answers) };
}

/** Half of the longest wait that is asked for, within bounds, in milliseconds. */
function halfOf(answers: readonly Answer[]): number {
  const longestMs = Math.max(0, ...answers.map((answer) => retryAfterOf(answer) ?? 0));
  return Math.min(watchMs.most, Math.max(watchMs.least, longestMs / 2));
}

function countsDownNot(answers: readonly Answer[]): boolean {
  const refusals = refusalsOf(answers);
  const isConstant = refusals.every(({ retryAfterMs }) => retryAfterMs === refusals[0]?.retryAfterMs);
  return (refusals.length > 0 && isConstant) || driftOf(refusals) === 'later';
}

/** The refusals before the first request that passed, in the order of sending. */
function firstStreak(answers: readonly Answer[]): Pick<Watched, 'refused' | 'accepted'> {
  const inOrder = answers.toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt);
  const end = inOrder.findIndex(({ status }) => status !== 429);
  return end < 0
    ? { refused: inOrder, accepted: undefined }
    : { refused: inOrder.slice(0, end), accepted: inOrder[end] };
}
