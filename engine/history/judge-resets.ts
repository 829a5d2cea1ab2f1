import { impliedReset, lineThrough, mean, type Point, type Refusal, roundingOf } from '../../core/implied-resets.ts';
import { sum } from '../../core/numbers.ts';

/** One request that passed. */
export type Passed = Pick<Refusal, 'sentAt' | 'receivedAt'>;

/** Refusals in a row, oldest first, with nothing accepted in between. */
export type Streak = {
  readonly refusals: readonly Refusal[];
  /** When the first accepted answer after them was received; undefined if the probe stopped before that. */
  readonly acceptedAt: number | undefined;
  /** Whether a client that sent nothing else was refused again after each of two waits that a 429 asked for. */
  readonly waitingFailed: boolean;
};

export type ResetVerdict =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'too-short'; readonly reason: string }
  | { readonly kind: 'contradicted'; readonly how: string; readonly from: Refusal; readonly to: Refusal };

/** The fewest refusals and milliseconds that can show whether the wait counts down. */
const fewestRefusals = 5;
const shortestMs = 150;
/** The number of refusals from which scattered values are not a coincidence. */
const fewestScattered = 8;
/** How much a server's clock may vary within one streak: milliseconds, and a share of the time between two answers. */
const jitterMs = 30;
const share = 0.1;
/** The largest share of a wait that the tolerance may be, because it would exceed a short wait. */
const shareOfTolerance = 0.15;
/** The longest wait, in milliseconds, that may be one step of a limiter. */
const briefMs = 100;
/** Pairs of refusals that are this share of the streak apart are compared. */
const farApart = 0.6;

/**
 * Whether the resets that refusals imply, receipt plus retryAfterMs, agree within one streak. Limiters differ, and these
 * are all legal:
 *
 * - a fixed window names one instant; so does a sliding one (its oldest request leaves) and a bucket (its next token);
 * - several servers that count separately name one instant each, so answers alternate or jump once;
 * - a limiter that counts refused requests postpones the reset with every refusal, and only a pause ends it;
 * - values rounded up to whole seconds or tenths name an instant that is late by up to that much.
 *
 * These are violations: resets that steadily come nearer; resets that recede steadily or each time, or waits that grow each time,
 * although a request passes long before the last of them, or although two quiet waits do not help; and mostly different
 * resets that scatter by more than a tenth of the wait and the tolerance (at most 15% of the wait). A constant value
 * recedes as fast as time passes.
 */
export function judgeResets(streak: Streak, toleranceMs: number): ResetVerdict {
  const { refusals, acceptedAt, waitingFailed } = streak;
  const [first, last] = [refusals[0], refusals.at(-1)];
  if (first === undefined || last === undefined || refusals.length < fewestRefusals) {
    return { kind: 'too-short', reason: `refusals in a row: ${refusals.length}, of ${fewestRefusals} that it takes` };
  }
  const spanMs = last.sentAt - first.receivedAt;
  if (spanMs < shortestMs)
    return { kind: 'too-short', reason: `refused for ${Math.max(0, Math.round(spanMs))} ms only` };

  const drift = driftOf(refusals);
  if (drift === undefined && refusals.every(({ retryAfterMs }) => retryAfterMs === first.retryAfterMs)) {
    return {
      kind: 'too-short',
      reason: `it stayed ${first.retryAfterMs} for ${Math.round(spanMs)} ms, as a rounded value may`,
    };
  }
  const contradicted = { kind: 'contradicted', from: first, to: last } as const;
  if (drift === 'nearer') return { ...contradicted, how: 'it counts down faster than time passes' };
  const inOrder = oneAfterAnother(refusals);
  if (drift === 'later' || [refusals, inOrder].some((some) => growsEachTime(some) || recedes(some))) {
    const promised = impliedReset(last).earliest;
    const isBrief = refusals.every(({ retryAfterMs }) => retryAfterMs <= briefMs);
    const slackMs = jitterMs + share * (promised - first.receivedAt) + (isBrief ? stepOf(refusals) : 0);
    if (acceptedAt !== undefined && acceptedAt + slackMs < promised) {
      return { ...contradicted, how: 'it does not count down with time, and a request passed long before' };
    }
    if (waitingFailed) return { ...contradicted, how: 'it does not count down with time, and waiting does not help' };
  }
  const jump = scatterOf(refusals, toleranceMs);
  if (jump !== undefined) return { kind: 'contradicted', how: 'it jumps up and down', from: jump[0], to: jump[1] };
  return { kind: 'agreed' };
}

/**
 * Whether the requests that passed confirm the waits of the refusals: none that was sent after a refusal passed long before
 * the reset that this refusal implied. This judges a token bucket, which refuses only for a moment. Also false if too few
 * refusals were followed by a passed request.
 */
export function areBorneOut(refusals: readonly Refusal[], passed: readonly Passed[]): boolean {
  const inOrder = passed.toSorted((one, other) => one.receivedAt - other.receivedAt);
  const roundedMs = roundingOf(refusals);
  let followed = 0;
  for (const refusal of refusals) {
    const next = inOrder.find(({ sentAt }) => sentAt >= refusal.receivedAt);
    if (next === undefined) continue;
    followed += 1;
    if (next.receivedAt + jitterMs + roundedMs + share * refusal.retryAfterMs < impliedReset(refusal).earliest)
      return false;
  }
  return followed >= fewestRefusals;
}

/** Whether the implied resets recede, or come nearer, steadily and beyond every allowance. */
export function driftOf(refusals: readonly Refusal[]): 'later' | 'nearer' | undefined {
  const pairs = farPairs(refusals);
  const roundedMs = stepOf(refusals);
  const beyond = (from: Refusal, to: Refusal, apartMs: number): boolean => {
    const allowedMs = jitterMs + roundedMs + share * (to.sentAt - from.receivedAt);
    return apartMs > allowedMs;
  };
  if (pairs.length === 0 || !isLine(refusals)) return undefined;
  if (pairs.every(([from, to]) => beyond(from, to, impliedReset(to).earliest - impliedReset(from).latest)))
    return 'later';
  if (pairs.every(([from, to]) => beyond(from, to, impliedReset(from).earliest - impliedReset(to).latest)))
    return 'nearer';
  return undefined;
}

/** Those that were sent when the one before was answered: a server may answer others in any order. */
function oneAfterAnother(refusals: readonly Refusal[]): readonly Refusal[] {
  let answeredAt = Number.NEGATIVE_INFINITY;
  return refusals.filter(({ sentAt, receivedAt }) => {
    if (sentAt < answeredAt) return false;
    answeredAt = receivedAt;
    return true;
  });
}

/** Whether each refusal asks for a longer wait than the one before, which is no line through time if the pauses differ. */
function growsEachTime(refusals: readonly Refusal[]): boolean {
  const longer = refusals
    .slice(1)
    .every(({ retryAfterMs }, index) => retryAfterMs > (refusals[index]?.retryAfterMs ?? 0));
  return longer && refusals.length >= fewestScattered;
}

/**
 * Whether the refusals name ever later resets: many of them, none earlier than one before, and the last one much later than the first. If
 * the pauses between them differ, a limit that each refusal postpones does so along no line through time. A server that takes over
 * makes one such step.
 */
export function recedes(refusals: readonly Refusal[]): boolean {
  const [first, last] = [refusals[0], refusals.at(-1)];
  if (first === undefined || last === undefined || instantsOf(refusals) < fewestScattered) return false;
  const roundedMs = stepOf(refusals);
  const laterMs = impliedReset(last).earliest - impliedReset(first).latest;
  if (laterMs <= jitterMs + roundedMs + share * (last.sentAt - first.receivedAt)) return false;
  return refusals.slice(1).every((to, index) => {
    const from = refusals[index] ?? to;
    const allowedMs = jitterMs + roundedMs + share * (to.sentAt - from.receivedAt);
    return impliedReset(from).earliest - impliedReset(to).latest <= allowedMs;
  });
}

/**
 * The steps in which a limiter may count, in milliseconds: the unit of its values, or the longest wait if that is brief. Windows that
 * follow one another also look like one where answers or timers are late by as much.
 */
function stepOf(refusals: readonly Refusal[]): number {
  const longestMs = Math.max(...refusals.map(({ retryAfterMs }) => retryAfterMs));
  return longestMs <= briefMs ? Math.max(longestMs, roundingOf(refusals)) : roundingOf(refusals);
}

/** The middle of the possible range. */
function likelyReset(refusal: Refusal): number {
  const { earliest, latest } = impliedReset(refusal);
  return (earliest + latest) / 2;
}

/** Pairs of refusals that are far apart. If the value is constant, only the first and the last: a rounded value stays constant for a while. */
function farPairs(refusals: readonly Refusal[]): readonly (readonly [Refusal, Refusal])[] {
  const [first, last] = [refusals[0], refusals.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  if (refusals.every(({ retryAfterMs }) => retryAfterMs === first.retryAfterMs)) return [[first, last]];
  const farMs = farApart * (last.sentAt - first.sentAt);
  return refusals.flatMap((from, index) =>
    refusals
      .slice(index + 1)
      .filter((to) => to.sentAt - from.sentAt >= farMs)
      .map((to) => [from, to] as const),
  );
}

/**
 * Whether the implied resets lie on a line through time rather than on two steps: a server that takes over from
 * another makes a step, which is legal.
 */
function isLine(refusals: readonly Refusal[]): boolean {
  const points = refusals.map((refusal) => ({ x: refusal.sentAt, y: likelyReset(refusal) }));
  const steps = points.slice(1).map((_, index) => {
    const [before, after] = [points.slice(0, index + 1), points.slice(index + 1)];
    return (
      spreadAround(before, () => mean(before.map(({ y }) => y))) +
      spreadAround(after, () => mean(after.map(({ y }) => y)))
    );
  });
  return spreadAround(points, lineThrough(points).at) < 0.5 * Math.min(...steps);
}

function spreadAround(points: readonly Point[], model: (x: number) => number): number {
  return sum(points.map(({ x, y }) => (y - model(x)) ** 2));
}

/** Two refusals of which the later names a much earlier reset, if that happens repeatedly and most resets differ. */
function scatterOf(refusals: readonly Refusal[], toleranceMs: number): readonly [Refusal, Refusal] | undefined {
  if (refusals.length < fewestScattered || instantsOf(refusals) <= refusals.length / 2) return undefined;
  const longestMs = Math.max(...refusals.map(({ retryAfterMs }) => retryAfterMs));
  const allowedMs = Math.max(Math.min(toleranceMs, shareOfTolerance * longestMs), share * longestMs) + stepOf(refusals);
  const drops: (readonly [Refusal, Refusal])[] = [];
  let peak = refusals[0];
  for (const refusal of refusals) {
    if (peak !== undefined && impliedReset(peak).earliest - impliedReset(refusal).latest > allowedMs)
      drops.push([peak, refusal]);
    else if (peak !== undefined && likelyReset(refusal) <= likelyReset(peak)) continue;
    peak = refusal;
  }
  return drops.length >= 2 ? drops[0] : undefined;
}

/** The number of distinct instants that the refusals name, allowing for jitter. */
function instantsOf(refusals: readonly Refusal[]): number {
  let count = 0;
  let earliest = Number.NEGATIVE_INFINITY;
  for (const reset of refusals.map(likelyReset).toSorted((one, other) => one - other)) {
    if (reset - earliest <= jitterMs) continue;
    count += 1;
    earliest = reset;
  }
  return count;
}
