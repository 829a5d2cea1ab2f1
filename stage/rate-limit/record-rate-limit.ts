import type { Answer } from '../../core/exchange.ts';
import { wrongEnds, wrongFirstEnds } from './announced-ends.ts';
import { type EarlyEnd, earlyEnd } from './early-ends.ts';
import { isFullWhenSaid } from './full-when-said.ts';
import { endedDespite, lateRefusal, turnedEndless } from './late-refusal.ts';
import {
  areBorneOut,
  driftOf,
  judgeResets,
  type Passed,
  type ResetVerdict,
  type Streak,
} from '../../engine/history/judge-resets.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import type { Exhausted, RateProbe } from './rate-probe.ts';
import {
  ifTelling,
  latestOf,
  longestOf,
  longestWaitMs,
  type QuietWait,
  recover,
  waitingFailed,
  waitQuietly,
  wereTooShort,
} from './quiet-wait.ts';
import { burst, isBrief, refusalsOf, watch, type Watched } from './watch-limit.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/** What a probe recorded of a rate limit. */
export type RateLimit = {
  readonly first: Exhausted<void>;
  /** The refusals of all bursts and waits, as far as they are kept. */
  readonly limited: readonly Answer[];
  readonly resets: ResetVerdict;
  /** The answers from which `resets` was judged. */
  readonly streak: readonly Answer[];
  /** The waits of one streak until one was long enough, at most three; or why there is none. */
  readonly waits: readonly QuietWait[] | string;
  /** Waits in several windows, none of which helped although later ones do; undefined if there are none. */
  readonly wrongEnds: readonly QuietWait[] | undefined;
  /** A second window that ended long before its refusals announced that; undefined if there is none. */
  readonly earlyEnd: EarlyEnd | undefined;
  /** Whether `streak` is too brief to show a slow drift. */
  readonly wasBrief: boolean;
  /** Why no further window was watched although more would have shown more; undefined if nothing kept the probe from it. */
  readonly cutShort: string | undefined;
};

/** Pauses before another quota is used up to see one window well, in milliseconds. Earlier requests leave a sliding window. */
const pausesMs = [2000, 8000, 35_000] as const;
/**
 * Uses the quota of the probe up, calls `whenLimited` with the first refusal meanwhile, and watches the limit until its reset. Uses more quotas up
 * only if one window shows too little. Requests pass again at the end. Blocked if no 429 can be reached.
 */
export async function recordRateLimit(
  probe: RateProbe,
  whenLimited: (limited: Answer) => Promise<void>,
): Promise<RateLimit> {
  // A window that begins with a request begins with this one, so that one window shows enough.
  await probe.api.session.clock.sleep(pausesMs[0]);
  const first = await watch(probe, true, whenLimited);
  const late = await lateRefusal(probe, first);
  const isWaitable = late !== undefined && (retryAfterOf(late) ?? 0) <= longestWaitMs;
  const firstWaits = await waitQuietly(probe, isWaitable ? { ...first, refused: [...first.refused, late] } : first);
  let best = first;
  let waits = ifTelling(first, firstWaits);
  let latest = first;
  const limited = [...first.exhausted.limited, ...first.refused, ...(isWaitable ? [late] : [])];
  const passed = [...first.passed];
  let borneOut: boolean | undefined;
  let cutShort: string | undefined;
  // A reset that each refusal postpones is legal. But of the window after a pause little may be left, and then a wrong wait helps, too.
  // A long wait costs time, so this first tries whether the window is over long before, while there are requests left.
  let ended = longestOf(limited) > mostDoubtedMs ? await earlyEnd(probe, first) : undefined;
  if (turnedEndless(first, late)) ended ??= await unlessBlocked(() => endedDespite(probe, first));
  const isDoubtful = driftOf(refusalsOf(first.refused)) === 'later' && longestOf(limited) <= mostDoubtedMs;
  const fewestLooks = isDoubtful ? 2 : 0;
  for (const [looks, pauseMs] of pausesMs.entries()) {
    const isDoubted = looks < fewestLooks && !waitingFailed(waits);
    const unwaited = typeof waits === 'string' || isDoubted || wereTooShort(waits, limited);
    const { kind } = resetsOf(probe, best, waits, limited, passed);
    const unseen = kind === 'too-short';
    const speaks = limited.some((answer) => retryAfterOf(answer) !== undefined);
    if (ended !== undefined || !speaks || (!unwaited && !unseen)) break;
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
      cutShort = looked.error.message;
      if (typeof waits === 'string') waits = cutShort;
      break;
    }
    latest = looked.value;
    limited.push(...latest.exhausted.limited, ...latest.refused);
    passed.push(...latest.passed);
    if (unwaited) waits = latestOf(waits, ifTelling(latest, await waitQuietly(probe, latest)));
    if (unseen && look === watch) best = latest;
  }
  const wrong =
    typeof waits === 'string' || waitingFailed(waits) ? undefined : await wrongEndsIn(probe, waits, first, limited);
  if (wrong === undefined) ended ??= await earlyEnd(probe, first);
  await recover(probe);
  if (typeof waits !== 'string')
    limited.push(...waits.map(({ tried }) => tried).filter(({ status }) => status === 429));
  // If no other window could be waited for, two waits of the first one that failed are enough.
  const isOnly = typeof waits === 'string' && waitingFailed(firstWaits, 2);
  const seen = resetsOf(probe, best, isOnly ? firstWaits : waits, limited, passed);
  const resets =
    seen.kind !== 'agreed' && (borneOut ?? (await isBorneOutByWaiting(probe, first, waits))) ? agreed : seen;
  return {
    first: first.exhausted,
    limited,
    resets,
    streak: best.refused,
    waits,
    wrongEnds: wrong,
    earlyEnd: ended,
    wasBrief: isBrief(best),
    cutShort,
  };
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

/** A wait that is wrong or may be is waited for again only if it is at most so many milliseconds. */
const mostDoubtedMs = 20_000;

/** The ends that turn out wrong in further windows: those after all refusals of a window, or else those after its first refusal. */
async function wrongEndsIn(
  probe: RateProbe,
  waits: readonly QuietWait[],
  { exhausted, refused }: Watched,
  limited: readonly Answer[],
): Promise<readonly QuietWait[] | undefined> {
  const wrong = await wrongEnds(probe, waits);
  if (wrong !== undefined || longestOf(limited) > mostDoubtedMs) return wrong;
  const ofOneWindow = [...exhausted.limited, ...refused];
  return wrongFirstEnds(
    probe,
    ofOneWindow.toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt),
    exhausted.passed,
  );
}

const agreed: ResetVerdict = { kind: 'agreed' };

/** Whether a bucket is full when it announced that, if its refusals are too short to show it or announce longer waits. */
async function isBorneOutByWaiting(probe: RateProbe, first: Watched, waits: RateLimit['waits']): Promise<boolean> {
  if (typeof waits === 'string' || waitingFailed(waits) || first.passed.length === 0) return false;
  const isFull = await unlessBlocked(() => isFullWhenSaid(probe, first.exhausted.passed));
  await recover(probe);
  return isFull === true;
}

/** The verdict of one window or, if it shows too little, of all answers that were `limited` and `passed`. */
function resetsOf(
  { api }: RateProbe,
  { refused, accepted }: Watched,
  waits: readonly QuietWait[] | string,
  limited: readonly Answer[],
  passed: readonly Passed[],
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
  return areBorneOut(refusalsOf(limited), passed) ? agreed : verdict;
}
