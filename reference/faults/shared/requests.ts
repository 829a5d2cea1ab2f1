import type { Operation } from '../../../spec/requirement.ts';
import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';

export type When = (request: Request) => boolean;

export function on(operation: Operation): When {
  return (request) => request.operation === operation;
}

/** Whether a list is asked for behind a cursor. */
export function hasCursor({ query }: Request): boolean {
  return query.has('cursor');
}

export function hasWait({ query }: Request): boolean {
  return query.has('wait');
}

/** Whether it is a message that is not empty. */
export function isRealMessage(request: Request): boolean {
  return on('sendMessage')(request) && !request.body.includes('""');
}

/** The idempotency key of a request. */
export function keyOf({ headers }: Request, rules: Rules): string | undefined {
  return headers[rules.keyHeader()];
}
