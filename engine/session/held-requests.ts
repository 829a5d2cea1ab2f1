import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** When the wait of each request that is held now ends, in milliseconds of the clock. */
const heldIn = perRun(() => new Set<{ readonly until: number }>());

/** Sends a request that is held for at most that many seconds. */
export async function holding<Done>(session: Session, seconds: number, send: () => Promise<Done>): Promise<Done> {
  const held = { until: session.clock.now() + 1000 * seconds };
  heldIn(session).add(held);
  try {
    return await send();
  } finally {
    heldIn(session).delete(held);
  }
}

/** For how long requests of this run may still be held, in milliseconds: meanwhile they may keep every worker of a small pool. */
export function heldForMs(session: Session): number {
  const ends = [...heldIn(session)].map(({ until }) => until);
  return Math.max(0, ...ends.map((until) => until - session.clock.now()));
}
