import type { Operation } from '../spec/requirement.ts';
import type { HttpRequest, HttpResponse, TransportFailure } from './http.ts';
import { parseJson, stringAt } from './json.ts';
import { describe, shown } from './text.ts';

/** One request and its outcome. Times are milliseconds since the epoch on the session's clock. */
export type Exchange = {
  readonly operation: Operation;
  /** The principal's name, or what was wrong with its credential. */
  readonly caller: string;
  readonly request: HttpRequest;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly outcome:
    | { readonly kind: 'answered'; readonly response: HttpResponse }
    | { readonly kind: 'failed'; readonly failure: TransportFailure; readonly message: string };
  /** Whether the same request got no answer from the deployment itself just before. */
  readonly repeats?: true;
  /** Whether the request was sent again because of this internal error. */
  readonly passing?: true;
};

/** An answered exchange with its body parsed. */
export type Answer = {
  readonly exchange: Exchange;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if there is none or it is not JSON. */
  readonly json: unknown;
  /** Why the body is not JSON in UTF-8. */
  readonly problem: string | undefined;
  readonly elapsedMs: number;
};

/** The body of the answer, or nothing. */
export function bodyOf({ outcome }: Exchange): Uint8Array {
  return outcome.kind === 'answered' ? outcome.response.body : new Uint8Array();
}

/** The length of the answer's body, in bytes. */
export function bodyBytes(exchange: Exchange): number {
  return bodyOf(exchange).length;
}

/** Successive readers of an exchange share one answer. Weak references to all answers cost more than parsing. */
let latest: Answer | undefined;

/** Reads an answered exchange; undefined when the exchange failed. */
export function answerOf(exchange: Exchange): Answer | undefined {
  if (exchange.outcome.kind === 'failed') return undefined;
  if (latest?.exchange === exchange) return latest;
  const { status, headers, body } = exchange.outcome.response;
  const parsed = parseJson(body);
  latest = {
    exchange,
    status,
    headers,
    json: parsed.value,
    problem: parsed.problem,
    elapsedMs: exchange.receivedAt - exchange.sentAt,
  };
  return latest;
}

export function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** Whether a write was refused that may have been carried out just before, when it got a 5xx or no answer from the deployment. */
export function isDoubtful(answer: Answer): boolean {
  return !isSuccess(answer) && answer.exchange.repeats === true;
}

/** A short description of an answer: its status and, for an error, the title, or what came that is no JSON. */
export function summary(answer: Answer): string {
  const title = stringAt(answer.json, 'error', 'title');
  if (title !== undefined) return `${answer.status} ${describe(title, 80)}`;
  const type = answer.headers['content-type'];
  return answer.json === undefined && type !== undefined
    ? `${answer.status} with ${shown(type, 60)}`
    : `${answer.status}`;
}
