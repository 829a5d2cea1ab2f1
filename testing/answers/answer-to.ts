import { type Answer, answerOf } from '../../core/exchange.ts';
import type { HttpResponse } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import { routes } from '../../spec/routes.ts';

/** For tests: the answer that alice gets to a request of that operation. */
export function answerTo(operation: Operation, response: HttpResponse, path = '/'): Answer {
  const answer = answerOf({
    operation,
    caller: 'alice',
    request: { method: routes[operation].method, path, headers: {}, timeoutMs: 1000 },
    sentAt: 0,
    receivedAt: 1,
    outcome: { kind: 'answered', response },
  });
  if (answer === undefined) throw new Error('it is answered');
  return answer;
}

/** For tests: a response with that JSON, or that text, as its body. */
export function jsonResponse(status: number, body: unknown): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
}
