/** `content-type` or `CONTENT-TYPE`. */
export type HeaderNames = 'lower case' | 'capitals';

/** A request as plain data. `path` is relative to the base URL, begins with `/` and is already percent-encoded. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** The entry point of the deployment that it goes to; by default the target's first. */
  readonly baseUrl?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** How the names of headers are written on the wire: HTTP compares them without regard to case. By default as `Content-Type`. */
  readonly headerNames?: HeaderNames | undefined;
  readonly body?: string | Uint8Array;
  /** In how many chunks the body is sent, without its length; by default it is sent whole. */
  readonly chunks?: number | undefined;
  /** Whether a write has one effect however often it arrives: then it may go out on a used connection, and again where that ends. */
  readonly isRepeatable?: boolean | undefined;
  /** Whether it goes out on the connection that was used last, if that is idle, like the next request of a simple client. */
  readonly follows?: boolean | undefined;
  /** Sent as the header traceparent (W3C Trace Context): each request has a trace of its own. */
  readonly trace?: Trace | undefined;
  /** How long to wait for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the client disconnects. Only a server of a deployment sets it. */
  readonly left?: AbortSignal;
};

export type Trace = {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the deployment is asked to record the trace; true by default. */
  readonly isRecorded?: boolean | undefined;
};

/** The headers of a request as they are written on the wire. */
export function writtenHeaders({ headers, headerNames }: HttpRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [writtenName(name, headerNames), value]));
}

function writtenName(name: string, as: HeaderNames | undefined): string {
  switch (as) {
    case 'capitals':
      return name.toUpperCase();
    case 'lower case':
      return name;
    case undefined:
      return name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
  }
}

/** The headers that connections add. */
export function traceHeaders({ trace }: Pick<HttpRequest, 'trace'>): Readonly<Record<string, string>> {
  return trace === undefined ? {} : { traceparent: traceParent(trace) };
}

export function traceParent({ traceId, spanId, isRecorded = true }: Trace): string {
  return `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`;
}

/** No valid answer has a longer body, in bytes. */
export const maxBodyBytes = 32 * 1024 * 1024;

/** An answer as plain data: header names in lower case, repeated headers joined by `, `, the body without its content coding. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/**
 * A deployment of the API: the network target, the embedded reference, and every variant of it are values of this type.
 * Rejects with {@link TransportError} when there is no complete answer.
 */
export type Deployment = (request: HttpRequest) => Promise<HttpResponse>;

/** The ways in which a request gets no complete answer. */
export const transportFailures = [
  'refused', // no connection could be made
  'reset', // the connection ended before the answer began
  'truncated', // the connection ended, or the framing broke, within the answer
  'malformed', // the answer is not HTTP
  'timeout', // the answer was not complete in time
  'too-large', // the answer exceeded its bound
] as const;
export type TransportFailure = (typeof transportFailures)[number];

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
