import type { Clock } from '../../core/clock.ts';
import type { Check } from '../../engine/check.ts';
import type { Verdict } from '../../engine/verdict.ts';

/** The end of the time of a run. */
export type Deadline = {
  /** Judges a check if its turn comes in time, and gives it up when the time is over. */
  readonly judgeInTime: (check: Check<string>, judge: () => Promise<Verdict>) => Promise<Verdict>;
};

/** What checks of the phase `last`, which come after all others and take hardly any time, get in addition, in milliseconds. */
const graceMs = 1500;

/**
 * What the first check that uses a quota up usually needs, in milliseconds. If the time were over meanwhile, the checks of the phase `last`
 * would have to wait for the end of the limit.
 */
const limitMs = 10_000;

/** A timer takes no longer time, in milliseconds. */
export const mostTimerMs = 2 ** 31 - 1;

/** Why a check has no verdict. */
export const timeIsOver = 'the time budget was used up';

const leftOutSoon = `left out: less than ${limitMs / 1000} s of the time budget were left; a rate limit may take that long`;

/** The deadline after some time, which starts now. */
export function deadlineIn(ms: number, clock: Clock): Deadline {
  const leftMs = Math.min(Math.max(0, ms), mostTimerMs - graceMs);
  const endsAt = clock.now() + leftMs;
  let isLimitMet = false;
  const notFinished = () => withoutVerdict(`not finished: ${timeIsOver}`);
  const over = {
    usual: clock.sleep(leftMs).then(notFinished),
    last: clock.sleep(leftMs + graceMs).then(notFinished),
  };
  return {
    async judgeInTime({ phase, uses }, judge) {
      if (phase === 'last') return Promise.race([judge(), over.last]);
      const untilMs = endsAt - clock.now();
      if (untilMs <= 0) return withoutVerdict(`left out: ${timeIsOver} before its turn came`);
      if (uses.includes('rateLimit') && !isLimitMet && untilMs < limitMs) return withoutVerdict(leftOutSoon);
      isLimitMet ||= uses.includes('rateLimit');
      return Promise.race([judge(), over.usual]);
    },
  };
}

function withoutVerdict(reason: string): Verdict {
  return { kind: 'blocked', reason, evidence: [] };
}
