import { z } from 'zod';
import { count, duration, durationMs } from '../profile/fields.ts';
import { atMost, loadKind } from './load-kind.ts';
import type { RateLimitLoad } from './rate-limit/run-rate-limit.ts';

const schema = z.strictObject(
  {
    connections: count('must be a whole number of connections from 1 to 500', 500).describe(
      'The number of connections. They send until they are refused.',
    ),
    windows: count('must be a whole number of windows from 2 to 50', 50).describe(
      'How many windows of the limit are observed. With fewer than 6, the kind of limit often stays unclear.',
    ),
    longestWindow: duration('must be a time from 100ms to 1h, such as 60s', 100, 3_600_000).describe(
      'The longest time to wait for a window to end.',
    ),
  },
  { error: 'must hold connections, windows and longestWindow' },
);

/** Sends until it is refused, then waits: what is the rate limit, and is `retryAfterMs` honest? */
export const rateLimitKind = loadKind<z.infer<typeof schema>, RateLimitLoad>({
  name: 'rateLimit',
  example: 'rate-limit',
  schema,
  hasOwnDuration: () => true,
  sendsInstead: 'the lists',
  effects: () => ['rateLimit'],
  resolve: ({ connections, windows, longestWindow }) => ({
    connections,
    windows,
    longestWindowMs: durationMs(longestWindow),
  }),
  plannedMs: () => undefined,
  describe: ({ connections, windows }, _profile, target) =>
    `requests over ${connections} connections until it is refused, ${windows} times${atMost(target)}`,
  describeEffects({ allow }) {
    const tried = [...(allow.has('messages') ? ['a message'] : []), ...(allow.has('deletions') ? ['a deletion'] : [])];
    return tried.length === 0 ? undefined : `It tries ${tried.join(' and ')} while it is refused.`;
  },
  async run(load, profile, options) {
    // Loaded only when it is needed: the closed engine takes memory that other kinds of load have no use for.
    const { runRateLimit } = await import('./rate-limit/run-rate-limit.ts');
    return runRateLimit(load, profile, options);
  },
});
