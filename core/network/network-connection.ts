import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { errorCode } from '../error-code.ts';
import { type HttpRequest, type HttpResponse, traceHeaders, TransportError, writtenHeaders } from '../http.ts';
import { skipContinues } from './network-continue.ts';
import { openTunnel, type Proxy, refusal, unreachable } from './proxy.ts';
import type { tlsOptions } from './tls-options.ts';
import { receivedBody } from './received-body.ts';
import type { Transfer } from './transfers.ts';
import { isStray, type Progress, timeoutError, transportErrorOf } from './network-failure.ts';

const maxHeaderBytes = 64 * 1024;
const maxTimerMs = 2 ** 31 - 1;

/** Ends an idle connection. Another error for each of thousands, with its stack, would cost as much as an exchange. */
const over = new Error('The connection is no longer needed.');

/** One connection to a target, for one exchange at a time. */
export type Connection = {
  /** Sends a request whose path is already that of the origin; the body of the answer is still encoded. */
  readonly exchange: (request: HttpRequest, maxBodyBytes: number, transfer: Transfer) => Promise<HttpResponse>;
  /** Whether it has answered before, so that the server may just have closed it for being idle. */
  readonly isUsed: () => boolean;
  /** Whether it can send another request. After a failed exchange it cannot. */
  readonly isOpen: () => boolean;
  readonly close: () => void;
};

/** Creates a connection. Its first exchange connects it. */
export function openConnection(
  origin: string,
  secured: ReturnType<typeof tlsOptions>,
  proxy: Proxy | undefined,
): Connection {
  const forwarding = proxy?.kind === 'forward' ? proxy : undefined;
  let answers = 0;
  let isClosed = false;
  let isLost = false;
  let isIdle = true;
  let wire: Wire | undefined;
  const dialing = new AbortController();
  const client = new Client(forwarding?.url.origin ?? origin, {
    allowH2: false, // this file relies on one request at a time on a connection
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0, // the one timer of an exchange covers all of it
    bodyTimeout: 0,
    connect: connector({ origin, signal: dialing.signal, secured, proxy }, (connected) => {
      wire = connected;
    }),
  });
  client.on('connect', () => {
    answers = 0;
    isLost = false;
  });
  client.on('disconnect', () => {
    isLost = true;
  });

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    if (isIdle && wire !== undefined) return void client.destroy(over);
    dialing.abort();
    void client.destroy();
  }

  async function exchange(request: HttpRequest, maxBodyBytes: number, transfer: Transfer): Promise<HttpResponse> {
    wire?.beforeRequest();
    isIdle = false;
    const pending = receive(request, maxBodyBytes, transfer);
    const timer = setTimeout(pending.onTimeout, Math.min(request.timeoutMs, maxTimerMs));
    try {
      client.dispatch(dispatched(request, origin, forwarding), pending.handler);
      const response = await pending.response;
      if (forwarding !== undefined && response.status === 407)
        throw new TransportError('refused', refusal(forwarding, 407, origin).message);
      // Bytes beyond the end of an answer are detected after its packet is parsed, by the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      const endedBy = wire?.socket.errored ?? undefined;
      // A server that reads no chunks takes them for the next request.
      if (request.chunks !== undefined) close();
      else if (endedBy !== undefined && isStray(endedBy)) {
        throw new TransportError('malformed', 'More bytes arrived than the answer announced.');
      }
      answers += 1;
      return response;
    } catch (error) {
      close();
      throw error;
    } finally {
      isIdle = true;
      clearTimeout(timer);
    }
  }

  return {
    exchange,
    close,
    isUsed: () => answers > 0,
    isOpen: () => !isClosed && !isLost && wire?.socket.destroyed !== true,
  };
}

/** The pause before each chunk, in milliseconds, so that they arrive apart. */
const chunkPauseMs = 5;

function bodyOf({ body, chunks }: HttpRequest): string | Uint8Array | Readable | null {
  if (body === undefined || chunks === undefined) return body ?? null;
  return Readable.from(chunksOf(typeof body === 'string' ? Buffer.from(body) : body, chunks));
}

/** The bytes in several chunks, which may end within a character. */
async function* chunksOf(bytes: Uint8Array, count: number): AsyncIterable<Uint8Array> {
  const size = Math.ceil(bytes.length / count);
  for (let start = 0; start < bytes.length; start += size) {
    await sleep(chunkPauseMs);
    yield bytes.subarray(start, start + size);
  }
}

/** A forwarding proxy gets the whole URL and its own credentials. */
function dispatched(request: HttpRequest, origin: string, proxy: Proxy | undefined): Dispatcher.DispatchOptions {
  const { method, path } = request;
  const body = bodyOf(request);
  const headers = { ...writtenHeaders(request), ...traceHeaders(request) };
  if (proxy === undefined) return { method, path, headers, body };
  return {
    method,
    path: origin + path,
    headers: { ...headers, host: new URL(origin).host, ...proxy.headers },
    body,
  };
}

type Wire = { readonly socket: Socket; readonly beforeRequest: () => void };

type Way = {
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly secured: ReturnType<typeof tlsOptions>;
  readonly proxy: Proxy | undefined;
};

function connector(
  { origin, signal, secured, proxy }: Way,
  onConnected: (wire: Wire) => void,
): buildConnector.connector {
  const dial = buildConnector({ ...(proxy?.kind === 'forward' ? {} : secured), allowH2: false, timeout: 0, signal });
  return (options, callback) => {
    const connected: buildConnector.Callback = (...result) => {
      if (result[0] === null) {
        const [, socket] = result;
        const beforeRequest = skipContinues(socket);
        beforeRequest();
        onConnected({ socket, beforeRequest });
        callback(...result);
      } else {
        callback(proxy?.kind === 'forward' ? unreachable(proxy, result[0]) : result[0], null);
      }
    };
    if (proxy?.kind === 'forward') dial({ ...options, servername: proxy.url.hostname }, connected);
    else if (proxy === undefined) dial(options, connected);
    else
      openTunnel(proxy, origin, signal).then(
        (httpSocket) => dial({ ...options, httpSocket }, connected),
        (error: Error) => callback(error, null),
      );
  };
}

type Pending = {
  readonly handler: Dispatcher.DispatchHandler;
  readonly response: Promise<HttpResponse>;
  readonly onTimeout: () => void;
};

/** The receiving half of an exchange. It settles once. */
function receive(request: HttpRequest, maxBodyBytes: number, transfer: Transfer): Pending {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const progress: Progress = { stage: 'connecting', bodyBytes: 0 };
  const body = receivedBody({ progress, maxBodyBytes, transfer });
  let status = 0;
  let headers: Readonly<Record<string, string>> = {};

  function refuse(controller: Dispatcher.DispatchController): void {
    const error = new TransportError('too-large', `The body exceeds ${maxBodyBytes} bytes.`);
    reject(error);
    controller.abort(error);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      progress.stage = 'waiting';
    },
    onResponseStarted() {
      if (progress.stage === 'waiting') progress.stage = 'headers';
    },
    onResponseStart(controller, statusCode) {
      if (statusCode < 200) return; // an interim answer, such as 103: the final one follows
      progress.stage = 'body';
      status = statusCode;
      headers = joinHeaders(controller.rawHeaders);
      if (Number(headers['content-length']) > maxBodyBytes) refuse(controller);
    },
    onResponseData(controller, chunk) {
      if (!body.take(chunk, headers, controller)) refuse(controller);
    },
    onResponseEnd() {
      resolve({ status, headers, body: body.bytes() });
    },
    onResponseError(_controller, error) {
      if (isWhole(error, headers, progress)) resolve({ status, headers, body: body.bytes() });
      else reject(isUnsendable(error) ? error : transportErrorOf(error, progress));
    },
  };
  return { handler, response: promise, onTimeout: () => reject(timeoutError(request.timeoutMs, progress)) };
}

/** undici misreads a length with spaces behind it, which are legal (RFC 9112, 5): the body may be whole all the same. */
function isWhole(error: Error, headers: Readonly<Record<string, string>>, { stage, bodyBytes }: Progress): boolean {
  const isMismatch = errorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  return isMismatch && stage === 'body' && headers['content-length'] === String(bodyBytes);
}

/** A request that violates HTTP is a bug in the suite, and must not look like a failure of the target. */
function isUnsendable(error: Error): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'].includes(errorCode(error) ?? '');
}

/**
 * Header names in lower case, values as latin1 without trailing white space (RFC 9112, 5), repeated headers joined in order.
 */
function joinHeaders(raw: Dispatcher.DispatchController['rawHeaders']): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  if (!Array.isArray(raw)) return {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toString('latin1').toLowerCase();
    const value = (raw[at + 1] ?? '').toString('latin1').trimEnd();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(headers);
}
