import type { Operation } from '../../spec/requirement.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
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

export function noteErrors(session: Session, exchange: Exchange): void {
  const { operation, outcome } = exchange;
  if (operation === 'attachOrganization') noteAttachment(session, exchange);
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
  const isError = answer.status >= 500 && answer.status !== 503 && !isGateways(answer);
  if (isError && !attachment.isMade) attachment.erred ??= exchange;
  attachment.isMade ||= isSuccess(answer);
}

/** The accepted attachments of the run, each with the first internal error that came before. */
export function attachmentsOf(session: Session): readonly Pick<Attachment, 'erred'>[] {
  return [...attachmentsIn(session).values()].filter(({ isMade }) => isMade);
}
