import type { Operation } from '../../spec/requirement.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** Requests of one operation, and how many of them ended in a 5xx. */
type Errors = { readonly requests: number; readonly errors: number };

const errorsIn = perRun(() => new Map<Operation, Errors>());

/** An organization that was to be attached, and the internal error that came before it was. */
type Attachment = { erred: Exchange | undefined; isMade: boolean };

const attachmentsIn = perRun(() => new Map<string, Attachment>());
/** Attachments that a run remembers. */
const mostAttachments = 1000;
/** Deletions that a run remembers. */
const mostDeletions = 1000;

/** A deletion that was accepted, and the first answer to a list of its organization that was sent afterwards. */
type Deletion = { readonly organization: string; readonly at: number; first: Exchange | undefined };

const deletionsIn = perRun((): Deletion[] => []);

export function noteErrors(session: Session, exchange: Exchange): void {
  const { operation, outcome } = exchange;
  if (operation === 'attachOrganization') noteAttachment(session, exchange);
  noteDeletion(session, exchange);
  const { requests, errors } = errorsOf(session, operation);
  const isError = outcome.kind === 'answered' && outcome.response.status >= 500;
  errorsIn(session).set(operation, { requests: requests + 1, errors: errors + (isError ? 1 : 0) });
}

export function errorsOf(session: Session, operation: Operation): Errors {
  return errorsIn(session).get(operation) ?? { requests: 0, errors: 0 };
}

function noteAttachment(session: Session, exchange: Exchange): void {
  const { path, body } = exchange.request;
  const answer = answerOf(exchange);
  if (answer === undefined) return;
  const attachments = attachmentsIn(session);
  const name = JSON.stringify([path, body]);
  const attachment = attachments.get(name) ?? { erred: undefined, isMade: false };
  if (attachments.size < mostAttachments) attachments.set(name, attachment);
  if (isInternalError(answer) && !attachment.isMade) attachment.erred ??= exchange;
  attachment.isMade ||= isSuccess(answer);
}

function isInternalError(answer: Answer): boolean {
  return answer.status >= 500 && answer.status !== 503 && !isGateways(answer);
}

function noteDeletion(session: Session, exchange: Exchange): void {
  const { operation, request, sentAt, receivedAt } = exchange;
  const organization = /\/organizations\/[^/?]+/.exec(request.path)?.[0];
  const answer = answerOf(exchange);
  if (organization === undefined || answer === undefined) return;
  const deletions = deletionsIn(session);
  if (operation === 'deleteDataSource' && isSuccess(answer)) {
    if (deletions.length < mostDeletions) deletions.push({ organization, at: receivedAt, first: undefined });
  } else if (operation === 'listDataSources') {
    for (const one of deletions) if (one.organization === organization && sentAt >= one.at) one.first ??= exchange;
  }
}

/** The first lists of data sources after deletions, and those of them that ended in an internal error. */
export function listsAfterDeletions(session: Session): { readonly lists: number; readonly erred: readonly Exchange[] } {
  const lists = new Set(deletionsIn(session).flatMap(({ first }) => first ?? []));
  const isErred = (exchange: Exchange): boolean => {
    const answer = answerOf(exchange);
    return answer !== undefined && isInternalError(answer);
  };
  return { lists: lists.size, erred: [...lists].filter(isErred) };
}

/** The accepted attachments of the run, each with the first internal error that came before. */
export function attachmentsOf(session: Session): readonly Pick<Attachment, 'erred'>[] {
  return [...attachmentsIn(session).values()].filter(({ isMade }) => isMade);
}
