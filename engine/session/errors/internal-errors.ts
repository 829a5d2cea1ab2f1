import type { Operation } from '../../../spec/requirement.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../../core/exchange.ts';
import { gatewayStatuses, isGateways } from '../../../core/gateway-answer.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** Requests of one operation, how many of them ended in a 5xx, and how many in a broken answer. */
type Errors = { readonly requests: number; readonly errors: number; readonly broken: number };

const errorsIn = perRun(() => new Map<Operation, Errors>());

/** The writes that succeed once. */
export type Single = 'attachOrganization' | 'deleteDataSource';

/** One organization to attach, or data source to delete, when an answer said that this is done, and an internal error of a request that was sent before. */
type Write = { readonly operation: Single; erred: Exchange | undefined; madeAt: number | undefined };

const writesIn = perRun(() => new Map<string, Write>());
/** Writes that a run remembers. */
const mostWrites = 1000;
/** Deletions that a run remembers. */
const mostDeletions = 1000;

/** A deletion that was accepted, and the lists of its organization that may be the first after it. */
type Deletion = {
  readonly organization: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Those that ended after the deletion was sent, to the first that was sent after its answer. */
  readonly lists: Exchange[];
  isOver: boolean;
};

const deletionsIn = perRun((): Deletion[] => []);
/** The latest lists of data sources, oldest first: they may have ended while a deletion was in progress. */
const latestListsIn = perRun((): Exchange[] => []);
const mostLatestLists = 32;

export function noteErrors(session: Session, exchange: Exchange): void {
  const { operation, outcome } = exchange;
  if (operation === 'attachOrganization' || operation === 'deleteDataSource') noteWrite(session, operation, exchange);
  noteDeletion(session, exchange);
  const { requests, errors, broken } = errorsOf(session, operation);
  const isError = outcome.kind === 'answered' && outcome.response.status >= 500;
  errorsIn(session).set(operation, {
    requests: requests + 1,
    errors: errors + (isError ? 1 : 0),
    broken: broken + (isBroken(exchange) ? 1 : 0),
  });
}

/** Data arrived, but not a complete HTTP answer. */
export function isBroken({ outcome }: Exchange): boolean {
  return outcome.kind === 'failed' && (outcome.failure === 'truncated' || outcome.failure === 'malformed');
}

export function errorsOf(session: Session, operation: Operation): Errors {
  return errorsIn(session).get(operation) ?? { requests: 0, errors: 0, broken: 0 };
}

function noteWrite(session: Session, operation: Single, exchange: Exchange): void {
  const { path, body } = exchange.request;
  const answer = answerOf(exchange);
  if (answer === undefined) return;
  const writes = writesIn(session);
  const name = JSON.stringify([operation, path, body]);
  const write = writes.get(name) ?? { operation, erred: undefined, madeAt: undefined };
  if (writes.size < mostWrites) writes.set(name, write);
  // Of two requests at the same time, the one that did it may be answered first.
  if (isInternalError(answer) && exchange.sentAt < (write.madeAt ?? Number.POSITIVE_INFINITY)) write.erred ??= exchange;
  const isMade = isSuccess(answer) || (write.erred !== undefined && isGoneBy(answer, write.erred));
  if (isMade) write.madeAt ??= exchange.receivedAt;
}

/** Whether the one who got an internal error for a deletion is then answered that the data source is gone. */
function isGoneBy({ status, exchange }: Answer, erred: Exchange): boolean {
  const isGone = status === 404 || status === 409 || status === 410;
  return isGone && exchange.operation === 'deleteDataSource' && exchange.caller === erred.caller;
}

/** Any 5xx but 503, which says that the service is not available, and not of a gateway. */
export function isInternalError(answer: Answer): boolean {
  return answer.status >= 500 && answer.status !== 503 && !isGateways(answer);
}

/** An internal error that no gateway can have answered. */
export function isOwnInternalError(answer: Answer): boolean {
  return isInternalError(answer) && !gatewayStatuses.includes(answer.status);
}

function noteDeletion(session: Session, exchange: Exchange): void {
  const { operation, request, sentAt, receivedAt } = exchange;
  const organization = organizationIn(request.path);
  const answer = answerOf(exchange);
  if (organization === undefined || answer === undefined) return;
  const deletions = deletionsIn(session);
  const latest = latestListsIn(session);
  if (operation === 'deleteDataSource' && isSuccess(answer)) {
    const deletion: Deletion = { organization, sentAt, receivedAt, lists: [], isOver: false };
    for (const list of latest) noteList(deletion, list);
    if (deletions.length < mostDeletions) deletions.push(deletion);
  } else if (operation === 'listDataSources') {
    for (const deletion of deletions) noteList(deletion, exchange);
    latest.push(exchange);
    if (latest.length > mostLatestLists) latest.shift();
  }
}

function organizationIn(path: string): string | undefined {
  return /\/organizations\/[^/?]+/.exec(path)?.[0];
}

function noteList(deletion: Deletion, list: Exchange): void {
  const isMeant = organizationIn(list.request.path) === deletion.organization && list.receivedAt >= deletion.sentAt;
  if (deletion.isOver || !isMeant) return;
  deletion.lists.push(list);
  deletion.isOver = list.sentAt >= deletion.receivedAt || deletion.lists.length >= mostLatestLists;
}

/** The lists of data sources that may be the first after a deletion, and those of them that ended in an internal error. */
export function listsAfterDeletions(session: Session): { readonly lists: number; readonly erred: readonly Exchange[] } {
  const lists = new Set(deletionsIn(session).flatMap((deletion) => deletion.lists));
  const isErred = (exchange: Exchange): boolean => {
    const answer = answerOf(exchange);
    return answer !== undefined && isInternalError(answer);
  };
  return { lists: lists.size, erred: [...lists].filter(isErred) };
}

/** The writes of that operation that were done in this run, each with the first internal error that came before. */
export function writesOf(session: Session, operation: Single): readonly Pick<Write, 'erred'>[] {
  return [...writesIn(session).values()].filter((write) => write.operation === operation && write.madeAt !== undefined);
}
