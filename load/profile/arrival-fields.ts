import { z } from 'zod';
import { defaultSockets, type Schedule } from '../schedule/arrivals.ts';
import { dayMs, duration, durationMs, rate, sockets } from './fields.ts';

/** The fields of a load whose requests or users arrive on a schedule. */
export function arrivalFields(of: 'requests' | 'users') {
  const stage = z.strictObject(
    {
      rate: rate(of).describe('The rate at the end of the stage.'),
      over: duration('must be a time from 0s to 24h, such as 30s', 0, dayMs).describe(
        'How long the change to this rate takes; 0s is a jump.',
      ),
    },
    { error: 'must hold a rate and the time over which it is reached, such as { rate: 100, over: 30s }' },
  );
  return {
    rate: rate(of).describe('The arrivals per second; with stages, the rate at the start of the first stage.'),
    arrivals: z
      .enum(['poisson', 'constant'], { error: 'must be poisson or constant' })
      .describe('Random arrivals around the rate, or even ones; poisson by default.')
      .optional(),
    sockets: sockets(),
    stages: z
      .array(stage, { error: 'must be a list of stages, such as [{ rate: 100, over: 30s }]' })
      .min(1)
      .describe('How the rate changes. The stages replace `duration`.')
      .optional(),
  };
}

type Written = z.infer<z.ZodObject<ReturnType<typeof arrivalFields>>>;

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
