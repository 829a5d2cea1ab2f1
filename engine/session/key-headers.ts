import { candidateKeyHeaders } from '../../core/headers/key-headers.ts';
import type { Session } from './session.ts';

/** The headers that carry the key: the declared one, or every candidate where none is declared. */
export function keyHeaders({ target }: Pick<Session, 'target'>): readonly string[] {
  return target.idempotencyHeader === undefined ? candidateKeyHeaders : [target.idempotencyHeader];
}
