import type { Exchange } from '../../core/exchange.ts';
import { noteRead } from './answers/broken-reads.ts';
import { noteMalformed } from './errors/after-malformed.ts';
import { notePause } from './errors/first-after-pause.ts';
import { noteErrors } from './errors/internal-errors.ts';
import { noteUnkeyed } from './errors/unkeyed-errors.ts';
import { noteHeld } from './held-requests.ts';
import { noteKeys } from './lapsed-keys.ts';
import { noteWrite } from './other-writers.ts';
import type { Session } from './session.ts';
import { noteUse } from './used-up.ts';

/** Everything that a run remembers of every exchange, whichever check sent it. */
const notes = [
  noteUse,
  noteErrors,
  noteUnkeyed,
  notePause,
  noteMalformed,
  noteRead,
  noteHeld,
  noteKeys,
  noteWrite,
] as const;

export function noteExchange(session: Session, exchange: Exchange): void {
  for (const note of notes) note(session, exchange);
}
