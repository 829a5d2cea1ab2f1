import type { Answer } from '../../core/exchange.ts';
import { type Refusal, retryAfterOf } from '../../core/implied-resets.ts';
import { driftOf, type Passed, recedes } from '../../engine/history/judge-resets.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import { briefMs, longestOf } from './quiet-wait.ts';
import { exhaust, exhaustEarly, type Exhausted, type RateProbe, timesOf } from './rate-probe.ts';

/** The refusals in a row after a quota was used up, and what ended them. */
export type Watched = {
  readonly exhausted: Exhausted<void>;
  readonly refused: readonly Answer[];
  /** The first answer other than 429; undefined if the limit still holds. */
  readonly accepted: Answer | undefined;
  /** All requests that passed after the first 429. */
  readonly passed: readonly Passed[];
  /** Whether the wait does not count down, and little of it may be left: then a wait that helps proves nothing. */
  readonly late: boolean;
};

type Asked = { readonly answers: readonly Answer[]; readonly late: boolean };

/**
 * A streak is watched for half of the announced wait, within these bounds in milliseconds. If that is `brief`, a slow drift
 * does not show.
 */
const watchMs = { least: 300, most: 30_000, toTheEnd: 60_000, brief: 500 } as const;
/** A wait that is at most this share of the first one has become much shorter. */
const shorterShare = 0.8;
/** The largest factor by which the time is extended if the wait does not count down. */
const timesLonger = 8;
/** Pauses between two requests grow with the time watched, because the announced wait may be wrong. */
const pause = { shortestMs: 25, share: 1 / 5 } as const;
/** Uses a quota up and does not watch. */
export async function burst(probe: RateProbe): Promise<Watched> {
  const exhausted = await exhaust(probe, async () => {});
  const { limited, refilled } = exhausted;
  return { exhausted, refused: limited.slice(-1), accepted: undefined, passed: refilled, late: false };
}

/**
 * Uses a quota up, then asks repeatedly during the first half of the announced wait: long enough to see the wait count
 * down, while the other half is left for waiting quietly. If it does not count down and `toTheEnd` is set, it asks until a
 * request passes, unless the announced end is near.
 */
export async function watch(
  probe: RateProbe,
  toTheEnd: boolean,
  whenLimited: (limited: Answer) => Promise<void> = async () => {},
): Promise<Watched> {
  let asking: Promise<Settled<Asked>> | undefined;
  const exhausted = await exhaustEarly(probe, async (limited) => {
    asking = settled(askAgain(probe, limited, toTheEnd));
    await whenLimited(limited);
  });
  const asked = await asking;
  if (asked?.ok === false) throw asked.error;
  const { answers, late } = asked?.value ?? { answers: [], late: false };
  const passed = [...exhausted.refilled, ...answers.filter(({ status }) => status !== 429).map(timesOf)];
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
    const mostMs = isClose && toTheEnd && countsDownNot(answers) && !isSoonOver(answers) ? longerMs : watchedMs;
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
  return (refusals.length > 0 && isConstant) || recedes(refusals) || driftOf(refusals) === 'later';
}

/** Whether the announced end is near or has come much nearer. A quiet wait then shows more than the end of the limit does. */
function isSoonOver(answers: readonly Answer[]): boolean {
  const refusals = refusalsOf(answers);
  const [first, last] = [refusals[0]?.retryAfterMs ?? 0, refusals.at(-1)?.retryAfterMs ?? 0];
  return longestOf(answers) <= briefMs || last <= shorterShare * first;
}

/** The refusals before the first request that passed, in the order of sending. */
function firstStreak(answers: readonly Answer[]): Pick<Watched, 'refused' | 'accepted'> {
  const inOrder = answers.toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt);
  const end = inOrder.findIndex(({ status }) => status !== 429);
  return end < 0
    ? { refused: inOrder, accepted: undefined }
    : { refused: inOrder.slice(0, end), accepted: inOrder[end] };
}

/** Whether a limit that held was watched only briefly, because its window was nearly over. */
export function isBrief({ refused: [first, ...more], passed }: Watched): boolean {
  const last = more.at(-1);
  if (first === undefined || last === undefined || passed.length > 0) return false;
  return last.exchange.sentAt - first.exchange.sentAt < watchMs.brief;
}

export function refusalsOf(answers: readonly Answer[]): readonly Refusal[] {
  return answers.flatMap((answer) => {
    const retryAfterMs = retryAfterOf(answer);
    const { sentAt, receivedAt } = answer.exchange;
    return retryAfterMs === undefined ? [] : [{ sentAt, receivedAt, retryAfterMs }];
  });
}
