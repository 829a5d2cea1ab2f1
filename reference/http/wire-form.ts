import { type HttpResponse, TransportError, type TransportFailure } from '../../core/http.ts';

/** The freedoms of HTTP/1.1 in which a whole answer may be framed. */
export type WireForm = 'plain' | 'chunked' | 'gzip' | 'close';

/** How a server may break an answer off, and what a client makes of it. */
export const wireBreaks = {
  reset: 'reset',
  'cut-body': 'truncated',
  'long-length': 'truncated',
  'not-gzip': 'truncated',
  'not-http': 'malformed',
  hang: 'timeout',
} as const satisfies Readonly<Record<string, TransportFailure>>;

export type WireBreak = keyof typeof wireBreaks;

/** An answer that may request the HTTP face for a form of framing. */
export type WireResponse = HttpResponse & { readonly form?: WireForm };

/** What a client in-process gets for a broken answer; the HTTP face breaks the real one in the same way. */
export class BrokenAnswer extends TransportError {
  readonly how: WireBreak;
  readonly response: HttpResponse;

  constructor(how: WireBreak, response: HttpResponse) {
    super(wireBreaks[how], `the reference broke the answer: ${how}`);
    this.how = how;
    this.response = response;
  }
}
