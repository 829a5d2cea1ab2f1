import { answerOf, type Exchange, isSuccess } from '../../../core/exchange.ts';
import { askedOf } from '../../../core/route.ts';
import { isOwnInternalError } from '../internal-errors.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** A read as a caller sends it: the header with the key, and the organization or account that is read. */
type Read = Pick<Exchange, 'operation'> & { readonly authorization: string | undefined; readonly ownerId: string };

type Answers = { isAccepted: boolean; erred: Exchange | undefined };

const answersIn = perRun(() => new Map<string, Answers>());

/** Reads that a run remembers. */
const mostReads = 20_000;

/** Remembers whether a read fails inside since it last succeeded. Pages behind a cursor and filtered lists are other reads. */
export function noteRead(session: Session, exchange: Exchange): void {
  const { operation, request } = exchange;
  const answer = answerOf(exchange);
  const asked = request.method === 'GET' ? askedOf(exchange) : undefined;
  if (answer === undefined || asked === undefined) return;
  if (asked.query.has('cursor') || asked.query.has('databaseConnectionId')) return;
  const reads = answersIn(session);
  const name = nameOf({ operation, authorization: request.headers['authorization'], ownerId: asked.ownerId });
  const answers = reads.get(name) ?? { isAccepted: false, erred: undefined };
  if (reads.size < mostReads) reads.set(name, answers);
  if (isSuccess(answer)) [answers.isAccepted, answers.erred] = [true, undefined];
  else if (isOwnInternalError(answer)) answers.erred ??= exchange;
}

/** The internal error since which a read that succeeded before has not succeeded again. */
export function brokenSince(session: Session, read: Read): Exchange | undefined {
  const { isAccepted, erred } = answersIn(session).get(nameOf(read)) ?? { isAccepted: false, erred: undefined };
  return isAccepted ? erred : undefined;
}

function nameOf({ operation, authorization, ownerId }: Read): string {
  return JSON.stringify([operation, authorization, ownerId]);
}
