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

/** Whether a page of one item is asked for. */
export const isSingle: When = (request) => limitOf(request) === 1;

/** Whether a page of 100 items is asked for. */
export const isWholePage: When = (request) => limitOf(request) === 100;

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
