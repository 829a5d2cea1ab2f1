import type { Exchange } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import { longestHoldMs } from './waits/response-times.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** A message with its `wait`, in seconds. */
type Held = { readonly message: unknown; readonly wait: number };

/** The messages that are held now, and when they were sent, in milliseconds of the clock. */
const heldIn = perRun(() => new Map<Held, number>());

/** When the deployment stops holding messages that got no answer: a server may go on although the client left. */
const lostIn = perRun((): number[] => []);

/** Sends a message that is held until its response has finished, and for its `wait` at most. */
export async function holding<Done>(session: Session, held: Held, send: () => Promise<Done>): Promise<Done> {
  const sentAt = session.clock.now();
  heldIn(session).set(held, sentAt);
  try {
    return await send();
  } catch (error) {
    lostIn(session).push(endOf(session, held, sentAt));
    throw error;
  } finally {
    heldIn(session).delete(held);
  }
}

/** Whether a message of this run is held now. */
export function isHolding(session: Session): boolean {
  return heldIn(session).size > 0;
}

/** For how long messages of this run that got no answer may still be held, in milliseconds. */
export function lostForMs(session: Session): number {
  return Math.max(0, ...lostIn(session).map((end) => end - session.clock.now()));
}

function endOf(session: Session, { message, wait }: Held, sentAt: number): number {
  return sentAt + Math.min(1000 * wait, longestHoldMs(session, message));
}

/** For how long messages of this run may still be held, in milliseconds: meanwhile they may keep every worker of a small pool. */
export function heldForMs(session: Session): number {
  const ends = [...heldIn(session)].map(([held, sentAt]) => endOf(session, held, sentAt));
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
