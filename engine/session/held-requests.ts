import type { Exchange } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
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

/** How long the held requests that the deployment answered took, in milliseconds. */
const answeredAfterIn = perRun((): number[] => []);

export function noteHeld(session: Session, { request, outcome, sentAt, receivedAt }: Exchange): void {
  const isAnswered = outcome.kind === 'answered' && outcome.response.status < 500;
  if (isAnswered && waitIn(request.path) !== undefined) answeredAfterIn(session).push(receivedAt - sentAt);
}

/** The number of held requests of this run that were answered after at least that many milliseconds. */
export function answeredAfter(session: Session, ms: number): number {
  return answeredAfterIn(session).filter((tookMs) => tookMs >= ms).length;
}
