import { type Request, type Refusal, refusal } from './http/request.ts';
import type { World } from './world.ts';

/** Callers who are remembered at once; whoever tries a new key with every request must not fill the memory. */
const windowsMost = 10_000;

/** Counts a request against its caller's quota, or refuses it. */
export function rateLimit(world: World, request: Request): Refusal | undefined {
  const { rules, state, clock } = world;
  const now = clock.now();
  const quota = rules.rateQuota(request);
  const windowMs = rules.rateWindowMs(request);
  const header = rules.credentialHeader(request);
  const bucket = rules.rateBucket(header === undefined ? '' : rules.credential(header, request).token, request);
  const window = rules.rateWindowAt(state.rateWindows.get(bucket), now, windowMs, quota, request);
  if (rules.rateExceeded(window, quota, request)) {
    const retryAfterMs = rules.rateResetMs(window, now, windowMs, quota, request);
    return { ...refusal('rateLimited'), retryAfterMs };
  }
  if (state.rateWindows.size >= windowsMost) state.rateWindows.clear();
  state.rateWindows.set(bucket, rules.rateCounted(window, now, request));
  return undefined;
}
