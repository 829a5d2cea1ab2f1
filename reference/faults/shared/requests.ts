import type { Operation } from '../../../spec/requirement.ts';
import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';

export type When = (request: Request) => boolean;

export function on(operation: Operation): When {
  return (request) => request.operation === operation;
}

export const isList: When = ({ operation }) => operation === 'listModels' || operation === 'listDataSources';

/** The limit of a list as a number; NaN without one. */
export function limitOf({ query }: Request): number {
  return Number(query.get('limit')?.[0] ?? Number.NaN);
}

/** Whether a page of that size is asked for. */
export function ofSize(limit: number): When {
  return (request) => limitOf(request) === limit;
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
