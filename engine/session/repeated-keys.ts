import type { Exchange } from '../../core/exchange.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** A key as `Api.freshKey` makes it. */
const pattern = /^awc-[\da-z]+-[\da-z]+-\d+-\d+$/;

/** The first request with each idempotency key. */
const firstWith = perRun(() => new Map<string, Exchange>());

/** The idempotency key of a message, if `Api.freshKey` made it. */
export function freshKeyIn({ request }: Pick<Exchange, 'request'>): string | undefined {
  return request.method === 'POST' ? Object.values(request.headers).find((value) => pattern.test(value)) : undefined;
}

/** Remembers which request was the first with its key. */
export function noteFirst(session: Pick<Session, 'memory'>, exchange: Exchange): void {
  const key = freshKeyIn(exchange);
  if (key !== undefined && !firstWith(session).has(key)) firstWith(session).set(key, exchange);
}

/** Whether an earlier request of the run had the same idempotency key. */
export function isRepetition(session: Pick<Session, 'memory'>, exchange: Exchange): boolean {
  const key = freshKeyIn(exchange);
  return key !== undefined && firstWith(session).get(key) !== exchange;
}
