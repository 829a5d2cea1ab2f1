import { type Ask, type Refusal, refusal } from './http/ask.ts';
import type { World } from './world.ts';

/** Callers who are remembered at once; whoever tries a new key with every request must not fill the memory. */
const windowsMost = 10_000;

/** Counts a request against its caller's quota, or refuses it. */
export function rateLimit(world: World, ask: Ask): Refusal | undefined {
  const { rules, state, clock } = world;
  const now = clock.now();
  const quota = rules.rateQuota(ask);
  const windowMs = rules.rateWindowMs(ask);
  const header = rules.credentialHeader(ask);
  const bucket = rules.rateBucket(header === undefined ? '' : rules.credential(header, ask).token, ask);
  const window = rules.rateWindowAt(state.rateWindows.get(bucket), now, windowMs, quota, ask);
  if (rules.rateExceeded(window, quota, ask)) {
    const retryAfterMs = rules.rateResetMs(window, now, windowMs, quota, ask);
    return { ...refusal('rateLimited'), retryAfterMs };
  }
  if (state.rateWindows.size >= windowsMost) state.rateWindows.clear();
  state.rateWindows.set(bucket, rules.rateCounted(window, now, ask));
  return undefined;
}
