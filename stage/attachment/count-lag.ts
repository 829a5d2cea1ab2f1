import { perRun } from '../../engine/session/run-memory.ts';
import { sinceChange } from '../../engine/session/used-up.ts';
import type { Session } from '../../engine/session/session.ts';

/** How long organizationCount lags behind an attachment where nothing else was seen, in milliseconds. */
const usualMs = 2000;
/** A later answer may come from a copy that is this many times as late. */
const margin = 2;
/**
 * How long a count is waited for, in milliseconds: section 4.3 does not say when it follows. Where it did not follow once, the next
 * wait is shorter.
 */
export const patienceMs = 15_000;

const seenIn = perRun(() => ({ longestMs: 0, isFutile: false }));

/** How long organizationCount may lag behind an attachment, in milliseconds, by what this run saw. */
export function countLagMs(session: Session): number {
  return Math.max(usualMs, seenLagMs(session));
}

/** Waits until organizationCount shows all attachments so far. */
export async function untilCounted(session: Session): Promise<void> {
  await session.clock.sleep(Math.max(0, countLagMs(session) - sinceChange(session, 'attachOrganization')));
}

/** How long organizationCount was seen to lag, in milliseconds, with a margin; 0 if it followed at once. */
export function seenLagMs(session: Session): number {
  return margin * seenIn(session).longestMs;
}

/** How long to wait for a count, in milliseconds. */
export function countPatienceMs(session: Session): number {
  return seenIn(session).isFutile ? countLagMs(session) : patienceMs;
}

/** Remembers after how many milliseconds an expected count was there, or that it did not come. */
export function rememberCountWait(session: Session, elapsedMs: number, came: boolean): void {
  const seen = seenIn(session);
  if (came) seen.longestMs = Math.max(seen.longestMs, elapsedMs);
  else seen.isFutile = true;
}
