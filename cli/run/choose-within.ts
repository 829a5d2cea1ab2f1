import type { Check } from '../../engine/check.ts';
import { faults } from '../../reference/faults/faults.ts';
import type { Budget } from '../../suites/plan.ts';
import { checksAtOnce } from '../../suites/run/in-turn.ts';
import { type Forecast, forecast, type ForecastOptions } from './forecast.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

/** The share of a budget that is kept in reserve, because the forecast is an estimate. */
const reserve = 0.1;

/** The share of a budget that choosing may take, because it is part of the run's time. */
const shareOfChoosing = 0.2;

/** Ranks every must before every should. */
const mustsFirst = 1e9;

export type Choice = { readonly budget: Budget; readonly forecast: Forecast };

/**
 * The most useful checks that fit: musts before shoulds, and among each the checks with the most known faults of their
 * requirement for the time that they take alone. Costs some seconds; `now` measures them, in milliseconds.
 */
export async function chooseWithin(
  ms: number,
  options: ForecastOptions,
  now: () => number = () => performance.now(),
): Promise<Choice> {
  const { checks } = options;
  const chosenBy = now() + shareOfChoosing * ms;
  const isOver = (): boolean => now() >= chosenBy;
  const whole = await forecast(options);
  if (whole.durationMs <= ms * (1 - reserve)) return { budget: { ms, leftOut: {} }, forecast: whole };
  const alone = new Map<Check<string>, number>();
  for (const check of checks) if (!isOver()) alone.set(check, await msAlone(check, options));
  // The checks that have not started when the time is over are left out then.
  if (isOver()) return { budget: { ms, leftOut: {} }, forecast: whole };
  const rank = (check: Check<string>): number => {
    const worth = (1 + faultsAgainst(check)) / (1 + (alone.get(check) ?? 0));
    return check.level === 'must' ? mustsFirst + worth : worth;
  };
  const ranked = checks.toSorted((one, other) => rank(other) - rank(one));
  const chosen = await mostThatFit(ms * (1 - reserve), ranked, (some) => forecast({ ...options, checks: some }));
  const reason = `left out: a budget of ${spokenDuration(ms)} is too short for all checks, and others find more bugs in that time`;
  const leftOut = ranked.slice(chosen.count).map(({ id }) => [id, reason] as const);
  return { budget: { ms, leftOut: Object.fromEntries(leftOut) }, forecast: chosen.forecast };
}

/** The time of a check on its own: its requests at the pace, or its share of the waiting of checks side by side. */
async function msAlone(check: Check<string>, options: ForecastOptions): Promise<number> {
  const { reads, writes, durationMs } = await forecast({ ...options, checks: [check] });
  const requests = reads + writes.messages + writes.deletions + writes.attachments;
  return Math.max((requests * 1000) / options.target.limits.maxRequestsPerSecond, durationMs / checksAtOnce);
}

function faultsAgainst({ requirement }: Check<string>): number {
  return faults.filter(({ breaks }) => breaks === requirement).length;
}

/** As many of the first ranked checks as fit in the time, found by bisection. */
async function mostThatFit(
  most: number,
  ranked: readonly Check<string>[],
  expect: (some: readonly Check<string>[]) => Promise<Forecast>,
): Promise<{ readonly count: number; readonly forecast: Forecast }> {
  let best = { count: 0, forecast: await expect([]) };
  let [fits, tooMany] = [0, ranked.length + 1];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    const found = await expect(ranked.slice(0, count));
    if (found.durationMs <= most) {
      fits = count;
      best = { count, forecast: found };
    } else tooMany = count;
  }
  return best;
}
