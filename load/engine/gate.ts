import type { RateCap } from './rate-cap.ts';

/** How long a connection has to wait before it may send, in milliseconds; 0 lets it send now and counts the request. */
export type Gate = () => number;

/** Lets this many requests a second pass, evenly spaced, and never more than the cap admits. */
export function spacedGate(maxPerSecond: number, rateCap: RateCap): Gate {
  if (!Number.isFinite(maxPerSecond)) return () => 0;
  const spacingMs = 1000 / maxPerSecond;
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return nextAt - now;
    const waitMs = rateCap.take();
    if (waitMs === 0) nextAt = Math.max(nextAt + spacingMs, now);
    return waitMs;
  };
}
