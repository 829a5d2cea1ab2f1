import { z } from 'zod';
import { defaultSockets, type Schedule } from '../schedule/arrivals.ts';
import { dayMs, duration, durationMs, rate, sockets } from './fields.ts';

const stage = z.strictObject(
  {
    rate: rate().describe('The rate at the end of the stage.'),
    over: duration('must be a time from 0s to 24h, such as 30s', 0, dayMs).describe(
      'The time over which it is reached; 0s is a jump.',
    ),
  },
  { error: 'must hold a rate and the time over which it is reached, such as { rate: 100, over: 30s }' },
);

export const arrivalsField = z
  .enum(['poisson', 'constant'], { error: 'must be poisson or constant' })
  .describe('Random arrivals around the rate, or even ones; poisson by default.')
  .optional();

export const stagesField = z
  .array(stage, { error: 'must be a list of stages, such as [{ rate: 100, over: 30s }]' })
  .min(1)
  .describe('How the rate changes; they replace `duration`.')
  .optional();

export const socketsField = sockets();

type Written = {
  readonly rate: number;
  readonly arrivals?: Schedule['arrivals'] | undefined;
  readonly stages?: z.infer<typeof stagesField>;
  readonly sockets?: number | undefined;
};

/** The schedule of what arrives, and the sockets for it. Without stages, the rate is the same all the time. */
export function scheduleOf(
  { rate: ratePerSecond, arrivals = 'poisson', stages, sockets: most = defaultSockets }: Written,
  totalMs: number,
): Schedule & { readonly sockets: number } {
  return {
    arrivals,
    sockets: most,
    ratePerSecond,
    stages: stages?.map((one) => ({ ratePerSecond: one.rate, overMs: durationMs(one.over) })) ?? [
      { ratePerSecond, overMs: totalMs },
    ],
  };
}

/** The highest rate of a schedule. */
export function peakOf({ ratePerSecond, stages }: Pick<Schedule, 'ratePerSecond' | 'stages'>): number {
  return Math.max(ratePerSecond, ...stages.map((one) => one.ratePerSecond));
}
