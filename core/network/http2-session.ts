import { type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { type HttpRequest, type HttpResponse, traceHeaders, TransportError } from '../http.ts';
import { type ConnectionTimes, type ExchangeTimes, timesOf } from './connection-times.ts';
import type { Dialer } from './dial.ts';
import { type Progress, timeoutError, transportErrorOf } from './network-failure.ts';
import { receivedBody, type Receiving } from './received-body.ts';
import type { Transfer } from './transfers.ts';

/** The server did not process the request (RFC 9113, section 8.7), so that any request may be sent again. */
export class Unprocessed extends TransportError {}

/** One connection over HTTP/2, for several exchanges at a time. */
export type Http2Session = {
  /** Resolves to undefined if the server did not choose HTTP/2. Rejects with TransportError. */
  readonly exchange: (
    request: HttpRequest,
    maxBodyBytes: number,
    transfer: Transfer,
    times?: ExchangeTimes,
  ) => Promise<HttpResponse | undefined>;
  readonly times: ConnectionTimes;
  /** Whether it can take one more exchange. */
  readonly hasRoom: () => boolean;
  /** Whether it can still be used, now or when an exchange is over. */
  readonly isOpen: () => boolean;
  readonly close: () => void;
};

const maxTimerMs = 2 ** 31 - 1;
/** Until the server says how many streams it allows. */
const firstStreams = 32;

/** Opens a connection. `origin` is that of the requests. */
export function openHttp2(origin: string, { dial, made }: Dialer): Http2Session {
  const socket = dial();
  const { promise: ready, resolve, reject } = Promise.withResolvers<boolean>();
  ready.catch(() => {}); // every exchange awaits it
  socket.once('error', (error) => reject(transportErrorOf(error, { stage: 'connecting', bodyBytes: 0 })));
  socket.once(made, () => resolve(made === 'connect' || ('alpnProtocol' in socket && socket.alpnProtocol === 'h2')));
  const session = connect(origin, {
    createConnection: () => socket,
    peerMaxConcurrentStreams: firstStreams,
    settings: { enablePush: false },
  });
  let streams = 0;
  let lastProcessed: number | undefined; // of GOAWAY
  session.on('error', () => {}); // each stream reports it
  session.on('goaway', (_code, lastStreamId) => {
    lastProcessed = lastStreamId;
  });

  const isOpen = () => !session.closed && !session.destroyed && lastProcessed === undefined;

  function isUnprocessed(stream: ClientHttp2Stream): boolean {
    const isBeyond = lastProcessed !== undefined && (stream.id ?? Number.POSITIVE_INFINITY) > lastProcessed;
    return isBeyond || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  }

  function failure(stream: ClientHttp2Stream, progress: Progress): TransportError {
    if (progress.stage === 'waiting' && isUnprocessed(stream)) {
      return new Unprocessed('reset', 'The server refused the stream before it processed the request.');
    }
    const kind = progress.stage === 'waiting' ? 'reset' : 'truncated';
    const after =
      progress.stage === 'waiting' ? 'before the answer began' : `after ${progress.bodyBytes} bytes of the body`;
    if (session.destroyed || socket.destroyed) return new TransportError(kind, `The connection ended ${after}.`);
    return new TransportError(kind, `The server reset the stream ${after} (HTTP/2 error ${stream.rstCode}).`);
  }

  const exchange: Http2Session['exchange'] = async (request, maxBodyBytes, transfer, times) => {
    const progress: Progress = { stage: 'connecting', bodyBytes: 0 };
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => timeout.reject(timeoutError(request.timeoutMs, progress)),
      Math.min(request.timeoutMs, maxTimerMs),
    );
    streams += 1;
    let stream: ClientHttp2Stream | undefined;
    try {
      if (!(await Promise.race([ready, timeout.promise]))) return undefined;
      progress.stage = 'waiting';
      if (session.closed || session.destroyed) throw new Unprocessed('reset', 'The connection was closed.');
      const sent = begin(session.request(pseudoHeaders(request), { endStream: request.body === undefined }), request);
      stream = sent;
      if (times !== undefined) noteTimes(sent, times);
      return await Promise.race([
        received(sent, { progress, maxBodyBytes, transfer }, () => failure(sent, progress)),
        timeout.promise,
      ]);
    } finally {
      clearTimeout(timer);
      streams -= 1;
      if (stream !== undefined && !stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    }
  };

  return {
    exchange,
    times: timesOf(socket, made),
    isOpen,
    hasRoom: () =>
      isOpen() && streams < Math.min(firstStreams, session.remoteSettings?.maxConcurrentStreams ?? firstStreams),
    close: () => session.destroy(),
  };
}

function pseudoHeaders(request: HttpRequest): Readonly<Record<string, string>> {
  return {
    ':method': request.method,
    ':path': request.path,
    ...request.headers,
    ...traceHeaders(request),
    ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
  };
}

function begin(stream: ClientHttp2Stream, { body }: HttpRequest): ClientHttp2Stream {
  if (body !== undefined) stream.end(body);
  return stream;
}

/** Notes the times of an exchange that leaves now. */
function noteTimes(stream: ClientHttp2Stream, times: ExchangeTimes): void {
  times.sentAt = performance.now();
  stream.once('response', () => void (times.headAt = performance.now()));
}

/** The answer on a stream. `failure` is asked when the stream ends without one. */
function received(
  stream: ClientHttp2Stream,
  receiving: Receiving,
  failure: () => TransportError,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const { progress, maxBodyBytes } = receiving;
  const body = receivedBody(receiving);
  let status = 0;
  let headers: Readonly<Record<string, string>> = {};
  stream.on('response', (head) => {
    progress.stage = 'body';
    status = Number(head[':status']);
    headers = joined(head);
  });
  stream.on('data', (chunk: Buffer) => {
    if (!body.take(chunk, headers, stream))
      reject(new TransportError('too-large', `The body exceeds ${maxBodyBytes} bytes.`));
  });
  let isWhole = false;
  stream.on('aborted', () => reject(failure()));
  stream.on('end', () => {
    isWhole = progress.stage === 'body' && !stream.aborted;
  });
  stream.on('error', () => reject(failure()));
  stream.on('close', () => {
    if (!isWhole || stream.rstCode !== constants.NGHTTP2_NO_ERROR) reject(failure());
    else resolve({ status, headers, body: body.bytes() });
  });
  return promise;
}

function joined(head: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(head).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}
