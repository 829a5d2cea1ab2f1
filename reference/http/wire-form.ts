import { type HttpResponse, TransportError, type TransportFailure } from '../../core/http.ts';

/** The ways in which HTTP/1.1 may frame a complete answer. */
export type WireForm = 'plain' | 'chunked' | 'gzip' | 'close';

/** How a server may break off an answer, and the failure that the client sees. */
export const wireBreaks = {
  reset: 'reset',
  'cut-body': 'truncated',
  'long-length': 'truncated',
  'not-gzip': 'truncated',
  'not-http': 'malformed',
  hang: 'timeout',
} as const satisfies Readonly<Record<string, TransportFailure>>;

export type WireBreak = keyof typeof wireBreaks;

/** An answer that may choose how the HTTP server frames it. */
export type WireResponse = HttpResponse & { readonly form?: WireForm };

/** The error of a broken answer for a client in the same process. The HTTP server breaks the real answer in the same way. */
export class BrokenAnswer extends TransportError {
  readonly how: WireBreak;
  readonly response: HttpResponse;

  constructor(how: WireBreak, response: HttpResponse) {
    super(wireBreaks[how], `the reference broke the answer: ${how}`);
    this.how = how;
    this.response = response;
  }
}

/** The page of a proxy, which the specification does not describe. */
export function gatewayAnswer(status: number): WireResponse {
  const page = `<html><body><h1>${status}</h1>nginx</body></html>`;
  return { status, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode(page) };
}
