import { type Answer, answerOf, type Exchange, isSuccess } from '../../../core/exchange.ts';
import { at } from '../../../core/json.ts';
import { askedOf } from '../../../core/route.ts';
import { isOwnInternalError } from '../errors/internal-errors.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';
import { noteRefusedCursor } from './refused-cursors.ts';

/** A read as a caller sends it: the header with the key, and the organization or account that is read. */
type Read = Pick<Exchange, 'operation'> & { readonly authorization: string | undefined; readonly ownerId: string };

type Answers = {
  isAccepted: boolean;
  /** The limits with which the latest answer was an error inside or a denial; '' is a read without one. */
  readonly broken: Set<string>;
};

const answersIn = perRun(() => new Map<string, Answers>());

/** Reads that a run remembers. */
const mostReads = 20_000;

/** A limit that section 8 allows. */
const validLimit = /^(?:[1-9]\d?|100)?$/;

/** How a read is answered that the caller has no role for. A key may expire, so 401 is none of them. */
const denials: readonly number[] = [403, 404];

/**
 * Remembers whether a read fails inside or is denied since it last succeeded. Filtered lists and pages behind a cursor are other reads;
 * of the latter, refusals are remembered.
 */
export function noteRead(session: Session, exchange: Exchange): void {
  const { operation, request } = exchange;
  const answer = answerOf(exchange);
  const asked = request.method === 'GET' ? askedOf(exchange) : undefined;
  if (answer === undefined || asked === undefined) return;
  const { query, hasOthers, ownerId } = asked;
  const limit = (query.get('limit') ?? []).join();
  if (query.has('databaseConnectionId') || hasOthers || !validLimit.test(limit)) return;
  if (query.has('cursor')) {
    noteRefusedCursor(session, exchange, asked);
    return;
  }
  const reads = answersIn(session);
  const name = nameOf({ operation, authorization: request.headers['authorization'], ownerId });
  const answers = reads.get(name) ?? { isAccepted: false, broken: new Set<string>() };
  if (reads.size < mostReads) reads.set(name, answers);
  if (isSuccess(answer)) {
    answers.isAccepted = true;
    answers.broken.delete(limit);
  } else if (isBroken(answer)) answers.broken.add(limit);
}

/** Whether the answer to a read shows an error inside, or that the caller has no role. */
export function isBroken(answer: Answer): boolean {
  return isOwnInternalError(answer) || (denials.includes(answer.status) && at(answer.json, 'error') !== undefined);
}

/** The limits, '' for none, with which a read that succeeded in some way failed inside or was denied when it was last sent. */
export function brokenLimits(session: Session, read: Read): readonly string[] {
  const answers = answersIn(session).get(nameOf(read));
  return answers?.isAccepted === true ? [...answers.broken] : [];
}

function nameOf({ operation, authorization, ownerId }: Read): string {
  return JSON.stringify([operation, authorization, ownerId]);
}
