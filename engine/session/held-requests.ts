import type { Exchange } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import { longestHoldMs } from './waits/response-times.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** A message with its `wait`, in seconds. */
type Held = { readonly message: unknown; readonly wait: number };

/** The messages that are held now, and when they were sent, in milliseconds of the clock. */
const heldIn = perRun(() => new Map<Held, number>());

/** Sends a message that is held until its response has finished, and for its `wait` at most. */
export async function holding<Done>(session: Session, held: Held, send: () => Promise<Done>): Promise<Done> {
  heldIn(session).set(held, session.clock.now());
  try {
    return await send();
  } finally {
    heldIn(session).delete(held);
  }
}

/** For how long messages of this run may still be held, in milliseconds: meanwhile they may keep every worker of a small pool. */
export function heldForMs(session: Session): number {
  const ends = [...heldIn(session)].map(
    ([{ message, wait }, sentAt]) => sentAt + Math.min(1000 * wait, longestHoldMs(session, message)),
  );
  return Math.max(0, ...ends.map((end) => end - session.clock.now()));
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
