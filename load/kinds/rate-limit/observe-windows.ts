import type { Clock } from '../../../core/clock.ts';
import { fullShare, type LimitedWindow, type LimitSample } from './limit-sample.ts';
import { freedEarlyMs, refusedMs, statedReset } from './stated-reset.ts';

/** How a limited target is observed. */
export type Prober = {
  /** One request by one client. */
  readonly probe: () => Promise<LimitSample>;
  /** Sends until one is refused or `most` are sent; resolves when all are answered, in the order of sending. */
  readonly burst: (most: number) => Promise<readonly LimitSample[]>;
  /** How many requests, of any kind, were not refused, and when the last answer to one came. */
  readonly passed: () => { readonly count: number; readonly at: number };
};

export type ObserveOptions = {
  readonly prober: Prober;
  readonly clock: Clock;
  readonly windows: number;
  readonly longestWindowMs: number;
  /** Requests that may be sent. */
  readonly budget: number;
  /** Called while every request is refused, for the window's ordinal from 0. What it sends may be accepted all the same. */
  readonly whileLimited: (window: number) => Promise<void>;
  readonly signal: AbortSignal;
};

export type Observed = {
  readonly windows: readonly LimitedWindow[];
  /** When the first burst began. */
  readonly startedAt: number;
  readonly sent: number;
};

/** When a single client retries, as shares of the expected wait. */
const askAt = [0.2, 0.4, 0.6, 0.8, 0.95] as const;
/** The client retries this long after the stated reset. In some windows it adds a share of the wait, which distinguishes windows on the clock. */
const settleMs = 15;
const lateShares = [0, 0.1, 0, 0.05] as const;
/** If it is still refused then: the shortest gap between retries, and their growth as a share of the elapsed time. */
const leastGapMs = 20;
const gapShare = 0.15;
const maxAsked = 60;
/** A client that retries gives up after more answers than this that are neither an acceptance nor a refusal. */
const mostOthers = 3;
/** The window whose quota is used in two halves: a sliding window frees only the first half when it reopens. */
const splitWindow = 4;
/** The window that is entered only after the whole stated wait. It shows the full quota of a bucket that says when it is full. */
const restedWindow = 2;
/**
 * If less than this share of the quota is freed at once, the target rests for this many windows, so that there is
 * something to count. The rest is halved if the quota was full afterwards, because a full quota does not show how fast
 * it filled.
 */
const trickleShare = 0.3;
const trickleRest = 10;
const longestRestMs = 30_000;

/**
 * Uses up a quota, waits for the reset with one client that retries now and then, and begins again. The last window is
 * left used up, so that a further experiment can observe its end.
 */
export async function observeWindows(options: ObserveOptions): Promise<Observed> {
  const { clock, budget, signal } = options;
  const startedAt = clock.now();
  const windows: LimitedWindow[] = [];
  let opened: LimitSample | undefined;
  let sent = 0;
  let restMs = 0;
  let isRested = false;
  while (windows.length < options.windows && !signal.aborted) {
    const most = budget - sent;
    const largest = Math.max(0, ...windows.map(({ accepted }) => accepted));
    const splitAfter = windows.length === splitWindow ? Math.floor(largest / 2) : 0;
    const samples = await useUp(options, windows, most, splitAfter);
    sent += samples.length;
    const refused = samples.filter(({ kind }) => kind === 'limited');
    if (refused.length === 0) break;
    const passed = samples.filter(({ kind }) => kind === 'accepted');
    const accepted = passed.length + (opened === undefined ? 0 : 1);
    const isSplit = splitAfter > 0 && accepted > splitAfter;
    if (windows.length + 1 >= options.windows || (windows.length >= 2 && largest > budget - sent)) {
      windows.push({
        opened,
        accepted,
        refused,
        settledAt: options.prober.passed().at,
        beside: 0,
        reopened: undefined,
        isWaitedOut: false,
        isSplit,
        isRested,
      });
      break;
    }
    const before = options.prober.passed();
    await options.whileLimited(windows.length);
    const after = options.prober.passed();
    const lateShare = lateShares[windows.length % lateShares.length] ?? 0;
    const rest = await waitOut(options, refused, shortestMs(windows, accepted), lateShare);
    sent += rest.refused.length + rest.others.length + 1;
    const window: LimitedWindow = {
      opened,
      accepted,
      refused: [...refused, ...rest.refused],
      settledAt: Math.max(after.at, rest.others.at(-1)?.receivedAt ?? 0),
      beside: after.count - before.count + rest.others.length,
      reopened: rest.reopened,
      isWaitedOut: true,
      isSplit,
      isRested,
    };
    windows.push(window);
    opened = rest.reopened;
    if (opened === undefined) break;
    isRested = windows.length === restedWindow && (await restOut(options, window));
    if (isRested) {
      opened = undefined; // its window may be over
      continue;
    }
    if (restMs > 0 && accepted >= fullShare * largest) restMs /= 2;
    else if (restMs === 0 && accepted < trickleShare * largest)
      restMs = Math.min(longestRestMs, trickleRest * lastedMs(windows.at(-1)));
    await clock.sleep(restMs);
  }
  return { windows, startedAt, sent };
}

/** Sends until it is refused; if `splitAfter` is above 0, in two halves, half a window apart. */
async function useUp(
  { prober, clock }: ObserveOptions,
  windows: readonly LimitedWindow[],
  most: number,
  splitAfter: number,
): Promise<readonly LimitSample[]> {
  if (splitAfter === 0) return prober.burst(most);
  const half = await prober.burst(splitAfter);
  if (half.some(({ kind }) => kind === 'limited')) return half;
  await clock.sleep(Math.min(...windows.map(lastedMs)) / 2);
  return [...half, ...(await prober.burst(most - half.length))];
}

/** The length of a window, from one acceptance after a refusal to the next. */
function lastedMs(window: LimitedWindow | undefined): number {
  const { opened, reopened, refused } = window ?? {};
  return (reopened?.receivedAt ?? 0) - (opened?.sentAt ?? refused?.[0]?.sentAt ?? 0);
}

/** The shortest time for which everything was refused, of the windows after which the whole quota was free before the stated reset. */
function shortestMs(windows: readonly LimitedWindow[], lastAccepted: number): number {
  const largest = Math.max(lastAccepted, ...windows.map(({ accepted }) => accepted));
  const freed = windows.filter((window, index) => {
    const next = windows[index + 1]?.accepted ?? lastAccepted;
    return freedEarlyMs(window) > 0 && next >= fullShare * largest;
  });
  return Math.min(...freed.map(refusedMs));
}

/** Waits until the reset that the refusals of a window state; false if it is over, or too far away. */
async function restOut({ clock, longestWindowMs }: ObserveOptions, window: LimitedWindow): Promise<boolean> {
  const leftMs = statedReset(window) - clock.now();
  if (freedEarlyMs(window) === 0 || leftMs <= 0 || leftMs > longestWindowMs) return false;
  await clock.sleep(leftMs + settleMs);
  return true;
}

/**
 * One client retries: at shares of the stated wait, or of `knownMs` if that is shorter, and then less and less often. Other answers,
 * such as a 500, may be to requests that took what the client waits for.
 */
async function waitOut(
  { prober, clock, longestWindowMs, signal }: ObserveOptions,
  before: readonly LimitSample[],
  knownMs: number,
  lateShare: number,
): Promise<Pick<LimitedWindow, 'refused' | 'reopened'> & { readonly others: readonly LimitSample[] }> {
  const from = clock.now();
  const first = before.find(({ retryAfterMs }) => retryAfterMs !== undefined);
  const statedMs = first === undefined ? 0 : Math.max(0, first.receivedAt + (first.retryAfterMs ?? 0) - from);
  const expectedMs = Math.min(statedMs, knownMs);
  const plan = askAt.map((share) => from + share * expectedMs);
  plan.push(from + expectedMs * (1 + lateShare) + settleMs);
  const refused: LimitSample[] = [];
  const others: LimitSample[] = [];
  while (
    refused.length < maxAsked &&
    others.length <= mostOthers &&
    clock.now() - from < longestWindowMs &&
    !signal.aborted
  ) {
    const now = clock.now();
    while (plan[0] !== undefined && plan[0] < now + 1) plan.shift();
    const elapsedMs = now - from;
    const next = plan.shift() ?? now + Math.max(leastGapMs, gapShare * elapsedMs);
    await clock.sleep(Math.min(next - now, longestWindowMs - elapsedMs));
    const sample = await prober.probe();
    if (sample.kind === 'accepted') return { refused, reopened: sample, others };
    (sample.kind === 'limited' ? refused : others).push(sample);
  }
  return { refused, reopened: undefined, others };
}
