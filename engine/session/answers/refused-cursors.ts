import { type Answer, answerOf, type Exchange } from '../../../core/exchange.ts';
import { at } from '../../../core/json.ts';
import type { RouteMatch } from '../../../core/route.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** Refusals that a run remembers. */
const mostRefused = 50;

/** A key may expire, a role may be missing for a moment, and a limit or a gateway may refuse any request. */
const otherReasons: readonly number[] = [401, 403, 408, 429];

const refusedIn = perRun((): Answer[] => []);

/** Remembers a page behind one cursor, with a valid limit, that the deployment itself refused as a client's error. */
export function noteRefusedCursor(session: Session, exchange: Exchange, { query }: RouteMatch): void {
  const answer = answerOf(exchange);
  const refused = refusedIn(session);
  if (answer === undefined || answer.status < 400 || answer.status >= 500 || refused.length >= mostRefused) return;
  const isOther = otherReasons.includes(answer.status) || at(answer.json, 'error') === undefined;
  if (!isOther && query.get('cursor')?.length === 1) refused.push(answer);
}

/** The refusals so far, in the order of their answers. */
export function refusedCursors(session: Session): readonly Answer[] {
  return refusedIn(session);
}
