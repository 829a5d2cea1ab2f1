/**
 * The pauses before the requests that look whether something fails inside for good, in milliseconds: they outlast an incident of
 * half a minute, and rare errors do not meet all of them.
 */
export const pausesForGoodMs = [0, 2000, 5000, 8000, 15_000] as const;
